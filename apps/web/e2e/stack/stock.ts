/** The products of the market, with pictures of the demo's. */
export const stock: [
  title: string,
  picture: string,
  priceCents: number,
  extra?: { sale?: number; inventory?: number },
][] = [
  ["Heirloom Tomatoes, Mixed Pint", "tomatoes-mixed", 650],
  ["Golden Tomatoes", "tomatoes-gold", 575, { inventory: 40 }],
  ["Slicing Tomatoes", "tomatoes-red", 525],
  ["June-bearing Strawberries", "strawberries", 575],
  ["Country Sourdough", "bread-boule", 950, { inventory: 3 }],
  ["Wildflower Honey, 1 lb", "honey", 1450, { sale: 1100 }],
  ["Pasture Eggs, Dozen", "eggs-brown", 725],
  ["Butter Lettuce", "lettuce", 425],
  ["Rainbow Carrots", "carrots-rainbow", 395],
  ["Sweet Corn, Six Ears", "corn", 600],
  ["Farmhouse Cheddar", "cheddar-aged", 895],
  ["Blueberries", "blueberries", 695, { inventory: 0 }],
];
