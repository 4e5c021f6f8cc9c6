"""Manufacturers as people write them: "Kellogg, Co." is Kellogg, and nobody says "The Coca-Cola Company"."""

import re

# What a register of companies adds to a name: how the firm is owned, which country's part of it this is, and its trade
# in the singular, as in "Dole Food Company".
_ADDED = {
    "ag", "beverage", "co", "company", "corp", "corporation", "food", "gmbh", "inc", "international", "limited", "llc",
    "ltd", "north america", "us", "usa",
}  # fmt: skip
_LAST = re.compile(rf"[\s,]+(?:{'|'.join(sorted(_ADDED))})\.?$", re.IGNORECASE)
_FIRST = re.compile(r"^The\s+", re.IGNORECASE)

# Three letters or more in capitals are a shouted word, unless they are one of these.
_ACRONYMS = {"ADM", "GFA", "MOM"}
_SMALL_WORDS = {"and", "of"}

# What no rule gets right, with the reason beside it.
_EXCEPTIONS = {
    # The part of the firm that made it stands behind the firm.
    "Abbott's Ross Products Division": "Abbott",
    # The beginning of the food's name ran into the field, and the rest is the form of the firm.
    "Beverages, GEROLSTEINER BRUNNEN GmbH & Co.KG": "Gerolsteiner",
    # These write their own names so.
    "Chick-Fil-A": "Chick-fil-A",
    "De Boles": "DeBoles",
    "Little Caesar's Pizza": "Little Caesars Pizza",
    "Pepsico Mexico": "PepsiCo Mexico",
    "bio-familia AG": "bio-familia",
    # The product's name is already in the name of the food.
    "DANNON Fluoride To Go": "Dannon",
    # The same firm twice.
    "McNeil Nutritionals/McNeil_PPC, Inc.": "McNeil Nutritionals",
    "Red Bull North America/Red Bull GmbH": "Red Bull",
    # Misspelt.
    "Morinaga Nutrional Foods, Inc.": "Morinaga Nutritional Foods",
    "T.G.I Friday's": "T.G.I. Friday's",
    # A town, a crop, a form of firm and a first name that no label shows.
    "Naked Juice Co. of Glendora, Inc.": "Naked Juice",
    "Ocean Spray Cranberries, Inc.": "Ocean Spray",
    "S.A. Evian Co.": "Evian",
    "Wm. Bolthouse Farms, Inc.": "Bolthouse Farms",
    # The brand, and behind it those who own it.
    "Open Pit- Pinnacle Foods": "Open Pit",
    "Planters- Kraft Foods Group": "Planters",
    "Quaker Oats Company - The Gatorade Company, a unit of Pepsi Co.": "Gatorade",
}


def tidy_brand(manufacturer: str) -> str:
    name = " ".join(manufacturer.split())
    if name in _EXCEPTIONS:
        return _EXCEPTIONS[name]
    name = _FIRST.sub("", name)
    while (shorter := _LAST.sub("", name)) != name:
        name = shorter
    return " ".join(_capitalize(word) for word in name.rstrip(" ,").split())


def _capitalize(word: str) -> str:
    """A word with one capital in front where it had none, or nothing but capitals; any other is as its owner has it."""
    letters = re.sub(r"'S$", "", word)
    if letters.isalpha() and letters.isupper() and len(letters) > 2 and letters not in _ACRONYMS:
        return word.capitalize()
    if word[0].islower() and word not in _SMALL_WORDS:
        return word[0].upper() + word[1:]
    return word
