// What an adult should eat in a day, as food labels in the United States have it.

/** Where the figures are from. */
export const SOURCE = {
  title: "FDA Daily Values for adults and children of 4 years and more (21 CFR 101.9)",
  url: "https://www.ecfr.gov/current/title-21/section-101.9",
};

/**
 * For each nutrient its daily value, in the unit that the nutrient's name ends in. Vitamin D's 20 mcg are 800 IU.
 * Folate's value is in mcg DFE; niacin's counts what the body makes of tryptophan, too.
 */
export const DAILY_VALUES = {
  energy_kcal: 2000,
  total_fat_in_gm: 78,
  saturated_fat_g: 20,
  cholesterol_in_mg: 300,
  total_carbohydrates_in_gm: 275,
  fiber_in_g: 28,
  added_sugars_in_g: 50,
  total_protein_in_gm: 50,
  sodium_in_mg: 2300,
  vitamin_a_in_mcg: 900,
  vitamin_b1_in_mg: 1.2,
  vitamin_b2_in_mg: 1.3,
  vitamin_b3_in_mg: 16,
  vitamin_b5_in_mg: 5,
  vitamin_b6_in_mg: 1.7,
  vitamin_b12_in_mcg: 2.4,
  biotin_in_mcg: 30,
  vitamin_c_in_mg: 90,
  vitamin_d_in_iu: 800,
  vitamin_e_in_mg: 15,
  vitamin_k_in_mcg: 120,
  folate_dfe_in_mcg: 400,
  choline_in_mg: 550,
  calcium_in_mg: 1300,
  iron_in_mg: 18,
  potassium_in_mg: 4700,
  copper_in_mg: 0.9,
  magnesium_in_mg: 420,
  zinc_in_mg: 11,
  phosphorus_in_mg: 1250,
  selenium_in_mcg: 55,
  manganese_in_mg: 2.3,
  iodine_in_mcg: 150,
  chloride_in_mg: 2300,
  chromium_in_mcg: 35,
  molybdenum_in_mcg: 45,
};

/** In the order of a label: the nutrient, what a label calls it, and whether it is a part of the one before. */
export const LABEL = [
  ["total_fat_in_gm", "Total fat", 0],
  ["saturated_fat_g", "Saturated fat", 1],
  ["trans_fat_g", "Trans fat", 1],
  ["cholesterol_in_mg", "Cholesterol", 0],
  ["sodium_in_mg", "Sodium", 0],
  ["total_carbohydrates_in_gm", "Total carbohydrate", 0],
  ["fiber_in_g", "Dietary fiber", 1],
  ["sugars_in_g", "Total sugars", 1],
  ["added_sugars_in_g", "Added sugars", 2],
  ["total_protein_in_gm", "Protein", 0],
];
export const LABEL_VITAMINS = [
  ["vitamin_d_in_iu", "Vitamin D", 0],
  ["calcium_in_mg", "Calcium", 0],
  ["iron_in_mg", "Iron", 0],
  ["potassium_in_mg", "Potassium", 0],
];
