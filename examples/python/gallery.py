"""What the scripts of the gallery share: their two arguments."""
import argparse
import os


def arguments(words):
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--figure", help="where to save the picture")
    parser.add_argument("--data", default=os.environ.get("GNOMON_DATA"),
                        help="folder with data sets, or one file; the variable GNOMON_DATA unless said")  # fmt: skip
    return parser.parse_args()


def save(display, path):
    if path:
        display.figure_.savefig(path, dpi=110)
