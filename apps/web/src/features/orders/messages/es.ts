// Orders in Spanish.

export const fromMarket = "Del mercado";
