"""The forest: trees with three branches (not above, above, absent) that grow row by row.

``layout.py`` has the arrays, ``walk.py`` scores a row, ``learning.py`` lets all trees learn its
label with the help of ``candidates.py`` (how good would a split be?), ``growth.py`` (new nodes) and
``renewal.py`` (a tree that became worse begins anew). ``soundness.py`` checks forests from files.
"""
