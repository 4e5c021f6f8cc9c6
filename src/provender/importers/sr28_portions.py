"""Household portions as people say them: USDA's `.5` of `cup slices` is "1/2 cup slices", its `serving ( 3 oz )` is
"1 serving (3 oz)". The rules run in the order of their table, each on what the one before it left.
"""

import re
from collections.abc import Iterable
from functools import cache

from provender.model.foods import Serving, as_fraction

# What one of a unit can weigh, in grams. An ounce weighs 28.35; of volumes, no food is half as heavy again as water.
_PLAUSIBLE_G = {
    "fl oz": (15, 45),
    "lb": (340, 570),
    "oz": (21, 36),
    "cup": (0, 360),
    "tablespoon": (0, 23),
    "tbsp": (0, 23),
    "teaspoon": (0, 8),
    "tsp": (0, 8),
}
# Where the words are nothing but a weight, they are right by definition, as against 3 oz of turkey that weigh 28 g.
_GRAMS = {"lb": 453.6, "oz": 28.35}
# Turkey bacon has a portion of this name; nobody knows what it is.
_UNREADABLE = {"raw pr g"}
_UNIT = re.compile(rf"({'|'.join(_PLAUSIBLE_G)})\b(?!.*(?:bone|dry|shell|yield))")

# Weights nearer to each other than this are one portion, weighed by two people.
_SAME_WEIGHT = 0.05

# Nouns that the tables leave in the singular behind a number above one, or in the plural behind one.
_COUNTED = (
    "bar", "biscuit", "bottle", "cookie", "cracker", "cup", "donette", "enchilada", "ice cube", "package", "patty",
    "piece", "quesadilla", "scoop", "slice", "strip", "tablespoon", "taco", "tamale",
)  # fmt: skip
_PLURALS = {word: re.sub("y$", "ie", word) + "s" for word in _COUNTED}
_SINGULARS = {plural: word for word, plural in _PLURALS.items()}
_PLURAL, _SINGULAR = (re.compile(rf"^(?:{'|'.join(forms)})\b") for forms in (_SINGULARS, _PLURALS))

_CAPITALS = re.compile(
    r"^(?:Bag|Biscuits|Burger|Container|Cups?|Entrée|Jigger|Patty|Potato|Roll|Tbsp|Wings)\b|\b(?:Serving|Sum|TBSP|Yield)\b"
)

# Words that say how much; what stands behind them says of what, or how it was cut.
_MEASURE = r"(?:cups?|fl oz|lb|oz|pint|tablespoons?|tbsp|teaspoons?|tsp)"
_SIZE = (
    r"(?:(?:(?:extra|very) )?(?:big|large|medium|mini|miniature|small|thick|thin)"
    r"|(?:bite|fun|king|regular|snack)[- ]size|center|child|corner|individual|inner|outer|oval|oyster|rectangular"
    r"|regular|round|sandwich|side|single serving|square|toaster|triple|whole)"
)
_DONE = (
    r"(?:boneless|brownulated|chopped|condensed|cooked|creamy|crumble[ds]|crushed|cut|diced|drained|dry(?=,|$)|grated"
    r"|grilled|packed|prepared|rounded|shelled|shredded|sifted|sliced|spiral slice|thawed|unpacked|unprepared|unsifted"
    r"|whipped|whole)"
)
_STATE = r"(?:boneless|cooked|crust not eaten|frozen|peeled|prepared|presliced|raw|refrigerated|shelf stable)"

_MENDS = (
    # What was typed badly.
    (r"\s+", " "),
    (r" ?([,)])", r"\1"),
    (r"\( ", "("),
    (r"(?<=\w)\(", " ("),
    (r"8-/1/2", "8-1/2"),
    (r"2\+-1/4", "2-1/4"),
    (r"(?<=\d/) (?=\d)", ""),
    (r"(?<![\d.])\.(?=\d)", "0."),
    (r"(?<=\d)(?=[a-z])|(?<=[a-z])(?=\d)", " "),
    (r'(?<=\d) (?:in\.|inch\b|")', '"'),
    (r'"(?=[a-z])', '" '),
    (r"\b(dia|oz|pkg|thick)\.", r"\1"),
    (r"fl oz i$", "fl oz"),
    (r"ready-to cook", "ready-to-cook"),
    (r"bscuit", "biscuit"),
    (r"gold fish", "goldfish"),
    (r"pattie\b", "patty"),
    (r"or dice$", "or diced"),
    (r"\brectangle\b", "rectangular"),
    (r"10\.7 oz \(10\.75 oz\)", "10.75 oz"),
    (r"(?<=bone and skin)$", " removed"),
    (r"\) (approx [^()]*\))$", r", \1"),
    (r"(?<=\d) (?=dia\b)", '" '),
    (r",(?= \()", ""),
    # What people do not say.
    (r"\bapprox(?:imately)?\b", "about"),
    (r"\bfluid oz\b", "fl oz"),
    (r"\bmilliliter\b", "ml"),
    (r"^grams\b", "g"),
    (r"\bpcs\b", "pieces"),
    (r"\bpkg\b", "package"),
    (r"(?<=3 )T\b", "tbsp"),
    (r"(?<=1/4 )c\b", "cup"),
    (r"^giblets$", "set of giblets"),
    (r"^ribs$", "rack of ribs"),
    (r"sum of drumstick\+thigh\+back", "drumstick, thigh and back"),
    # What the tables' keepers wrote for themselves: how it was weighed, where it was copied from, a can's size code.
    (r" \((?:analytical|approximate|average|include|mean|total can)\b[^)]*\)", ""),
    (r" \(\d{3} x \d{3}\)", ""),
    (r" average$| total can contents$|,? N(?:FS|S as to .*)$| From \d+$", ""),
    (r" (\S+) label 2011$", r" (\1)"),
    (r" 2011 label$", ""),
    (r" \d+ \w+ = .*$", ""),
    (r"net w(?:eigh)?t,? ", ""),
    # The serving that the Nutrition Labeling and Education Act (NLEA) prescribes is the one on the label.
    (r"NLEA serving(?: size)? = ", ""),
    (r"NLEA serving(?: size)?", "serving"),
    (r"\(serving\)", "(1 serving)"),
    (r"^serving \(1 serving(?: - )?", "serving ("),
    (r"^(?:serving )?serving size", "serving"),
    (r"^serving varied from (.*?)(?: per serving)?$", r"serving (\1)"),
    (r"^serving varied .*$", "serving"),
    (r"^(serving \d.*?)(?: in)? serving$", r"\1"),
    # The same thing twice.
    (r"\b(\w[\w. ]*),? \1\b", r"\1"),
    (r"\(([^)]+)\) \1$", r"(\1)"),
    (r"^(\w+) (?:1 |regular size )\1(?=$| \()", r"\1"),
    (r"^(\w+) mini \1$", r"mini \1"),
    (r"^each (?=\w)", ""),
    (r"^pieces? (?=bagel|chips|individually|pierogies|roll|shrimp|turnover)", ""),
    (r"^slice per ", "slice "),
    (r"(?<=\d) per pizza", " pizza"),
    (r" ?\(\)", ""),
    # "potato large" and "ear, large" are a large potato and a large ear; a cup, chopped, is still a cup.
    (
        rf"^(?!(?:{_MEASURE}|{_SIZE}|extra|melba)\b)([a-z]+),? ({_SIZE}(?:(?: | or |/){_SIZE})*)(?=$| \(|,| \d)",
        r"\2 \1",
    ),
    (rf"^({_MEASURE}|can) (?={_DONE}\b)", r"\1, "),
    (rf"(?<=[a-z]{{3}}) (?={_STATE}(?:$|,| \(| \d))", ", "),
    (r"(?<=[a-z])(?<!after) (?=bone (?:and skin )?removed)", ", "),
    (r"(?<=[a-z])(?<!loosely)(?<!firmly)(?<!not) (?=(?:not )?packed$)", ", "),
    # A measure behind the word that it explains goes into brackets, and brackets come in pairs.
    (r"(?<=\d)/lb\b", " per lb"),
    (r", (\d[\d./]* (?:fl oz|oz|per lb))$", r" (\1)"),
    (r"(?<= )(cup|oz) (?=\d)", r"\1, "),
    (
        r"^([^\d(]*[a-z])(?<! for)(?<! from)(?<! makes)(?<! make)(?<! or)(?<! about)(?<! with)(?<! Stage) (\d.*)$",
        r"\1 (\2)",
    ),
    (r"^serving ((?!\().+)$", r"serving (\1)"),
    (r"\(([^()]*) \(([^()]*)\)", r"(\1, \2"),
    (r"\) \(", ", "),
    (r"(\([^()]*)$", r"\1)"),
    (r"[ ,]+$", ""),
)
_RULES = tuple((re.compile(pattern), replacement) for pattern, replacement in _MENDS)
# People cut a package, a block of tofu or a melon into these; a cup they do not, so `as_fraction` lacks them.
_FRACTIONS = {0.083: "1/12", 0.1: "1/10", 0.2: "1/5"}
_YIELD = re.compile(r"(?<!edible),? yields?(?=$|,| \()")
_CONTENT = re.compile(r"(?:bottle|package) \(([\d.]+) (?:fl )?oz\)")
_TWICE = re.compile(r"(.+) \(\1\)")
_DECIMAL = re.compile(r"\b0\.\d+(?= cup| pie)")


@cache
def describe_portion(amount: float, words: str) -> str:
    words = _CAPITALS.sub(lambda found: found[0].lower(), words.strip())
    for pattern, replacement in _RULES:
        words = pattern.sub(replacement, words)
    words = _DECIMAL.sub(lambda found: as_fraction(float(found[0])), words)
    if (measure := _CONTENT.fullmatch(words)) and float(measure[1]) == amount:
        # The table's amount is the measure in the brackets once more: one 5 oz package is not 5 of them.
        amount = 1
    if words == "inch sub":
        return f"{amount:g}-inch sub"
    described = f"{_FRACTIONS.get(amount) or as_fraction(amount)} {_agree(amount, words)}"
    if said_twice := _TWICE.fullmatch(described):
        return said_twice[1]
    if _YIELD.search(described):
        return f"yield of {_YIELD.sub('', described)}"
    return described


def _agree(amount: float, words: str) -> str:
    if amount > 1:
        return _SINGULAR.sub(lambda found: _PLURALS[found[0]], words)
    return _PLURAL.sub(lambda found: _SINGULARS[found[0]], words)


def make_servings(portions: Iterable[tuple[int, float, str, float]]) -> list[Serving]:
    """The portions in the source's order, without those that cannot be right and those that say nothing new."""
    servings: dict[str, Serving] = {}
    for _, amount, words, stated in portions:
        weight = _weigh(amount, words, stated)
        if weight is None or words in _UNREADABLE:
            continue
        description = describe_portion(amount, words)
        if description in servings:
            # The same words were weighed twice. Where that gave another weight, the weight tells the two apart.
            if abs(weight - servings[description].amount) <= _SAME_WEIGHT * weight:
                continue
            description = _add_weight(description, weight)
        servings[description] = Serving(description, weight)
    return list(servings.values())


def _add_weight(description: str, weight: float) -> str:
    if description.endswith(")"):
        return f"{description[:-1]}, {weight:g} g)"
    return f"{description} ({weight:g} g)"


def _weigh(amount: float, words: str, weight: float) -> float | None:
    """What a portion weighs: as the table says where that can be, else as its words say where they are a weight."""
    unit = _UNIT.match(words)
    if unit is None:
        return weight
    least, most = _PLAUSIBLE_G[unit[1]]
    if least <= weight / amount <= most:
        return weight
    return round(amount * _GRAMS[words], 2) if words in _GRAMS else None
