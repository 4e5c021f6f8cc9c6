"""Words that nobody uses, and the names of brands that do not exist, each by its number."""


def _listed(text: str) -> list[str]:
    return text.split()


_STARTS = _listed("""
    bal cor dun el fen gar hol ist jor kel lun mar nor os pel quin ros sal tor ul var wen yar zan bri cla dro fla gre
    kla pra sten tri vel ash bo ca do fi go ha ke la mo ni po ra so ta vi thi chan mé lö
""")
_MIDDLES = _listed("""
    ba co de fi go la le li lo ma mi mo na ne ni no ra re ri ro sa se ta te ti to va ve vi land min ter
""")
_ENDS = _listed("""
    a o n ra na la ly ton ley ine ette elle ano ini ado era ia is us en er el ix on ham wick berg stad ova ique eau ard
    oux é ez ski dal mark ford gate well
""")

_SHORT = len(_STARTS) * len(_MIDDLES) * len(_ENDS)
_LONG = _SHORT * len(_MIDDLES)
# A prime that divides neither, so that words beside each other in the count are not so in a dictionary.
_STEP = 48_611

# What brands are called beside such words: chosen so that hardly any pair is somebody's, and some are a food.
_ADJECTIVES = _listed("""
    Copper Thimble Hollow Tin Marble Lantern Feather Cobalt Willow Pewter Ember Quiet Rusty Velvet Crooked Saffron
    Drowsy Gilded Mossy Paper Painted Salty Seventh Twelve Wandering Whistling Winter Woolen Amber Barefoot
""")
_NOUNS = _listed("""
    Heron Wren Badger Otter Fern Kettle Thistle Gable Anvil Bramble Orchard Ladle Minnow Plough Sparrow Spindle Steeple
    Thicket Trellis Turnip Weasel Windmill Almanac Barrel Butter Apple Cheese Honey Milk Bean Berry
""")
_BEFORE = ("Maison ", "Molino ", "O'", "Casa ", "Gebr. ", "La Ferme ", "Hof ", "The ", "Old ", "Château ", "Finca ")
_AFTER = (
    "Foods", "Farms", "Kitchen", "& Sons", "Bros.", "Dairy", "Bakery", "Organics", "Pantry", "Mills", "Provisions",
    "Snacks", "Creamery", "& Co.",
)  # fmt: skip


def invent_word(number: int) -> str:
    """A word without a meaning, another one for every number. The first are short, as common words are."""
    if number < _SHORT:
        rest, extra = number * _STEP % _SHORT, ""
    else:
        rest, place = divmod(number * _STEP % _LONG, len(_MIDDLES))
        extra = _MIDDLES[place]
    rest, start = divmod(rest, len(_STARTS))
    end, middle = divmod(rest, len(_MIDDLES))
    return _STARTS[start].capitalize() + _MIDDLES[middle] + extra + _ENDS[end]


def name_brand(number: int) -> str:
    """A brand. What it is made of goes by turns, so that common and rare brands are alike."""
    word = invent_word(_SHORT - 1 - number)
    turn, kind = divmod(number, 10)
    adjective = _ADJECTIVES[turn % len(_ADJECTIVES)]
    noun = _NOUNS[turn % len(_NOUNS)]
    before = _BEFORE[turn % len(_BEFORE)]
    after = _AFTER[turn % len(_AFTER)]
    return (
        word,
        f"{adjective} {noun}",
        f"{word} {after}",
        word,
        f"{before}{word}",
        f"{word}'s",
        f"{adjective} {word}",
        word,
        f"{word} {noun} {after}",
        f"{word}-{invent_word(number)}",
    )[kind]
