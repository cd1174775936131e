# orders.py: three days of a web shop
import csv
import math
import random

WORDS = ["size", "colour", "gift", "unsure", "again", "please", "fast", "thanks"]


def write_day(path, seed, columns, orders=600):
    chance = random.Random(seed)
    with open(path, "w", newline="") as file:
        table = csv.DictWriter(file, columns, extrasaction="ignore")
        table.writeheader()
        for number in range(orders):
            order = {
                "order": f"{seed}-{number:04}",
                "time": f"2026-03-0{seed} {chance.randrange(24):02}:{chance.randrange(60):02}",
                "amount": round(chance.lognormvariate(3.5, 0.8), 2),
                "country": chance.choice(["DE", "DE", "FR", "PL"]),
                "device": chance.choice(["phone", "desktop"]),
                "coupon": chance.choice(["yes", "no"]),
                "note": " ".join(chance.sample(WORDS, 3)),
            }
            risk = 2 * ("unsure" in order["note"]) - 2 * ("again" in order["note"])
            risk += (order["amount"] > 60) + (order["device"] == "phone") - 1
            likely = 1 / (1 + math.exp(-risk))
            order["returned"] = "yes" if chance.random() < likely else "no"
            if chance.random() < 0.1:
                order["country"] = ""  # not observed
            table.writerow(order)


always = ["order", "time", "amount", "country", "note"]
write_day("monday.csv", 1, [*always, "device", "returned"])
write_day("tuesday.csv", 2, [*always, "coupon", "returned"])
write_day("wednesday.csv", 3, [*always, "coupon", "device"], orders=5)
