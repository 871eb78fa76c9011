// Orders in English.

export const fromMarket = "From the market";
