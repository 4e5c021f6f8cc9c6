"""The registry of nutrients: every name, with its group and unit. What is not here, only custom foods may carry.

The first 43 names are those of the public client library of this interface, letter for letter, uneven suffixes and all.
The others are what the sources know beyond them, named `<name>_in_<unit>`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class Group(StrEnum):
    """Where a nutrient stands in a food. WATER is a field of its own, not an object."""

    MACRO_NUTRIENTS = "macro_nutrients"
    WATER = "water_in_gm"
    VITAMINS = "vitamins"
    MINERALS = "minerals"
    CARBOHYDRATES = "carbohydrates"
    LIPIDS = "lipids"
    PROTEINS = "proteins"


# The groups that a food's answer leaves out unless they are asked for.
OPTIONAL_GROUPS = (Group.VITAMINS, Group.MINERALS, Group.CARBOHYDRATES, Group.LIPIDS, Group.PROTEINS)


# The members of each group. Water is a group of one.
Nutrients = Mapping[Group, Mapping[str, float]]


@dataclass(frozen=True, slots=True)
class Nutrient:
    name: str
    group: Group
    unit: str
    title: str


# Grams in one unit. An international unit measures an effect, not a weight; energy is no weight at all.
GRAMS = {"g": 1.0, "mg": 1e-3, "mcg": 1e-6}

_TABLE = {
    Group.MACRO_NUTRIENTS: """
        energy_kcal kcal Energy
        total_fat_in_gm g Total fat
        total_carbohydrates_in_gm g Total carbohydrates
        total_protein_in_gm g Total protein
        alcohol_in_gm g Alcohol
        caffeine_in_mg mg Caffeine
        theobromine_in_mg mg Theobromine
    """,
    Group.WATER: """
        water_in_gm g Water
    """,
    Group.VITAMINS: """
        vitamin_a_in_mcg mcg Vitamin A, RAE
        vitamin_b1_in_mg mg Vitamin B1 (thiamin)
        vitamin_b2_in_mg mg Vitamin B2 (riboflavin)
        vitamin_b3_in_mg mg Vitamin B3 (niacin)
        vitamin_b5_in_mg mg Vitamin B5 (pantothenic acid)
        vitamin_b6_in_mg mg Vitamin B6
        vitamin_b12_in_mcg mcg Vitamin B12
        vitamin_c_in_mg mg Vitamin C
        vitamin_d_in_iu IU Vitamin D
        vitamin_e_in_mg mg Vitamin E (alpha-tocopherol)
        vitamin_k_in_mcg mcg Vitamin K (phylloquinone)
        folate_in_mcg mcg Folate, total
        choline_in_mg mg Choline
        betaine_in_mg mg Betaine
        biotin_in_mcg mcg Biotin
        folic_acid_in_mcg mcg Folic acid
        food_folate_in_mcg mcg Folate, food
        folate_dfe_in_mcg mcg Folate, DFE
        vitamin_a_in_iu IU Vitamin A
        retinol_in_mcg mcg Retinol
        alpha_carotene_in_mcg mcg Alpha-carotene
        beta_carotene_in_mcg mcg Beta-carotene
        beta_cryptoxanthin_in_mcg mcg Beta-cryptoxanthin
        lycopene_in_mcg mcg Lycopene
        lutein_and_zeaxanthin_in_mcg mcg Lutein and zeaxanthin
        vitamin_d_in_mcg mcg Vitamin D (D2 and D3)
        vitamin_d2_in_mcg mcg Vitamin D2 (ergocalciferol)
        vitamin_d3_in_mcg mcg Vitamin D3 (cholecalciferol)
        beta_tocopherol_in_mg mg Beta-tocopherol
        gamma_tocopherol_in_mg mg Gamma-tocopherol
        delta_tocopherol_in_mg mg Delta-tocopherol
        alpha_tocotrienol_in_mg mg Alpha-tocotrienol
        beta_tocotrienol_in_mg mg Beta-tocotrienol
        gamma_tocotrienol_in_mg mg Gamma-tocotrienol
        delta_tocotrienol_in_mg mg Delta-tocotrienol
        menaquinone_4_in_mcg mcg Menaquinone-4
        dihydrophylloquinone_in_mcg mcg Dihydrophylloquinone
        added_vitamin_b12_in_mcg mcg Vitamin B12, added
        added_vitamin_e_in_mg mg Vitamin E, added
    """,
    Group.MINERALS: """
        sodium_in_mg mg Sodium
        calcium_in_mg mg Calcium
        iron_in_mg mg Iron
        potassium_in_mg mg Potassium
        copper_in_mg mg Copper
        magnesium_in_mg mg Magnesium
        zinc_in_mg mg Zinc
        phosphorus_in_mg mg Phosphorus
        selenium_in_mcg mcg Selenium
        manganese_in_mg mg Manganese
        iodine_in_mcg mcg Iodine
        fluoride_in_mcg mcg Fluoride
        chloride_in_mg mg Chloride
        chromium_in_mcg mcg Chromium
        molybdenum_in_mcg mcg Molybdenum
        ash_in_g g Ash
    """,
    Group.CARBOHYDRATES: """
        fiber_in_g g Fiber
        net_carbs_in_g g Net carbohydrates
        starch_in_g g Starch
        sugars_in_g g Sugars
        added_sugars_in_g g Added sugars
        sucrose_in_g g Sucrose
        glucose_in_g g Glucose
        fructose_in_g g Fructose
        lactose_in_g g Lactose
        maltose_in_g g Maltose
        galactose_in_g g Galactose
        polyols_in_g g Polyols
    """,
    Group.LIPIDS: """
        cholesterol_in_mg mg Cholesterol
        monounsaturated_fat_g g Monounsaturated fat
        polyunsaturated_fat_g g Polyunsaturated fat
        trans_fat_g g Trans fat
        saturated_fat_g g Saturated fat
        trans_monoenoic_fat_in_g g Trans fat, monoenoic
        trans_polyenoic_fat_in_g g Trans fat, polyenoic
        omega_3_in_g g Omega-3 fatty acids
        omega_6_in_g g Omega-6 fatty acids
        phytosterols_in_mg mg Phytosterols
        stigmasterol_in_mg mg Stigmasterol
        campesterol_in_mg mg Campesterol
        beta_sitosterol_in_mg mg Beta-sitosterol
        fatty_acid_4_0_in_g g 4:0 (butyric)
        fatty_acid_6_0_in_g g 6:0 (caproic)
        fatty_acid_8_0_in_g g 8:0 (caprylic)
        fatty_acid_10_0_in_g g 10:0 (capric)
        fatty_acid_12_0_in_g g 12:0 (lauric)
        fatty_acid_13_0_in_g g 13:0
        fatty_acid_14_0_in_g g 14:0 (myristic)
        fatty_acid_15_0_in_g g 15:0
        fatty_acid_16_0_in_g g 16:0 (palmitic)
        fatty_acid_17_0_in_g g 17:0
        fatty_acid_18_0_in_g g 18:0 (stearic)
        fatty_acid_20_0_in_g g 20:0 (arachidic)
        fatty_acid_22_0_in_g g 22:0 (behenic)
        fatty_acid_24_0_in_g g 24:0 (lignoceric)
        fatty_acid_14_1_in_g g 14:1
        fatty_acid_15_1_in_g g 15:1
        fatty_acid_16_1_in_g g 16:1
        fatty_acid_16_1_c_in_g g 16:1 c
        fatty_acid_16_1_t_in_g g 16:1 t
        fatty_acid_17_1_in_g g 17:1
        fatty_acid_18_1_in_g g 18:1 (oleic and others)
        fatty_acid_18_1_c_in_g g 18:1 c
        fatty_acid_18_1_t_in_g g 18:1 t
        fatty_acid_18_1_11_t_in_g g 18:1-11 t (vaccenic)
        fatty_acid_20_1_in_g g 20:1
        fatty_acid_22_1_in_g g 22:1
        fatty_acid_22_1_c_in_g g 22:1 c
        fatty_acid_22_1_t_in_g g 22:1 t
        fatty_acid_24_1_c_in_g g 24:1 c
        fatty_acid_18_2_in_g g 18:2 (linoleic and others)
        fatty_acid_18_2_n6_in_g g 18:2 n-6 c,c (linoleic)
        fatty_acid_18_2_cla_in_g g 18:2 conjugated
        fatty_acid_18_2_i_in_g g 18:2 i
        fatty_acid_18_2_t_in_g g 18:2 t
        fatty_acid_18_2_tt_in_g g 18:2 t,t
        fatty_acid_18_3_in_g g 18:3 (linolenic)
        fatty_acid_18_3_n3_in_g g 18:3 n-3 (ALA)
        fatty_acid_18_3_n6_in_g g 18:3 n-6 (GLA)
        fatty_acid_18_3_i_in_g g 18:3 i
        fatty_acid_18_4_in_g g 18:4
        fatty_acid_20_2_n6_in_g g 20:2 n-6
        fatty_acid_20_3_in_g g 20:3
        fatty_acid_20_3_n3_in_g g 20:3 n-3
        fatty_acid_20_3_n6_in_g g 20:3 n-6
        fatty_acid_20_4_in_g g 20:4 (arachidonic)
        fatty_acid_20_4_n6_in_g g 20:4 n-6
        fatty_acid_20_5_n3_in_g g 20:5 n-3 (EPA)
        fatty_acid_21_5_in_g g 21:5
        fatty_acid_22_4_in_g g 22:4
        fatty_acid_22_5_n3_in_g g 22:5 n-3 (DPA)
        fatty_acid_22_6_n3_in_g g 22:6 n-3 (DHA)
    """,
    Group.PROTEINS: """
        cystine_in_g g Cystine
        histidine_in_g g Histidine
        isoleucine_in_g g Isoleucine
        leucine_in_g g Leucine
        methionine_in_g g Methionine
        phenylalanine_in_g g Phenylalanine
        threonine_in_g g Threonine
        tyrosine_in_g g Tyrosine
        valine_in_g g Valine
        lysine_in_g g Lysine
        tryptophan_in_g g Tryptophan
        arginine_in_g g Arginine
        alanine_in_g g Alanine
        aspartic_acid_in_g g Aspartic acid
        glutamic_acid_in_g g Glutamic acid
        glycine_in_g g Glycine
        proline_in_g g Proline
        serine_in_g g Serine
        hydroxyproline_in_g g Hydroxyproline
        adjusted_protein_in_g g Protein, adjusted
    """,
}


def _nutrients() -> dict[str, Nutrient]:
    found = {}
    for group, table in _TABLE.items():
        for line in table.strip().splitlines():
            name, unit, title = line.strip().split(" ", 2)
            found[name] = Nutrient(name, group, unit, title)
    return found


NUTRIENTS = _nutrients()

# The registry's order is the order in answers.
GROUPS = {name: nutrient.group for name, nutrient in NUTRIENTS.items()}
PLACES = {name: place for place, name in enumerate(NUTRIENTS)}

# The order in which sums are stored (see `model/sums.py`). It grows at its end and never changes otherwise, because
# rows that every release before has written are read by it: nutrients that come into the registry later are named
# here, in the order of their coming.
_CAME_LATER: tuple[str, ...] = ()
STORED_ORDER = (*(name for name in NUTRIENTS if name not in _CAME_LATER), *_CAME_LATER)
