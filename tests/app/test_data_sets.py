"""Real data sets, where they lie beside the repository."""
import csv
import unittest

import numpy as np

from command import REPOSITORY, CommandTest

DATA = REPOSITORY.parent / "shared" / "data"
SETS = {
    "boston": "medv",
    "motorcycle": "accel",  # one input, repeated
    "abalone": "rings",  # a text column
    "concrete": "compressive_strength",  # repeated rows
    "prostate": "lpsa",
}


@unittest.skipUnless(DATA.is_dir(), "the data sets are not beside the repository (../shared/data)")
class DataSetTest(CommandTest):
    def target_values(self, name, target):
        with open(DATA / f"{name}.csv", newline="", encoding="utf-8") as file:
            return np.array([float(row[target]) for row in csv.DictReader(file)])

    def check(self, name):
        target = SETS[name]
        y = self.target_values(name, target)
        result = self.select(DATA / f"{name}.csv", target=target)
        self.assertEqual(result["data"]["rows"], len(y))
        error = result["selected"]["loo"]["value"]
        self.assertTrue(np.isfinite(error))
        self.assertGreater(error, 0)
        self.assertLess(error, y.var())


def add_test(name):
    setattr(DataSetTest, f"test_{name}", lambda self: self.check(name))


for each in SETS:
    add_test(each)

if __name__ == "__main__":
    unittest.main()
