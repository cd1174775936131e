"""Values that are no numbers, or that no float can hold."""

from __future__ import annotations

import math
from decimal import Decimal

NO_NUMBERS = [None, "1", True, False, 1j, [1.0], Decimal(1), math.nan, 10**400, -(10**400)]
