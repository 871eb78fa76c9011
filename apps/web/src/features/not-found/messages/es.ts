// The page of an unknown address in Spanish.

export const title = "Página no encontrada";
export const explanation = "Nada crece en esta dirección. Quizás era un puesto que ya se fue.";
export const backToMarket = "Volver al mercado";
export const lookingFor = "¿Buscas algo?";
export const askForHelp = "Pídenos ayuda";
