// The page of an unknown address in English. Its heading is the spec's (lib/messages.ts).

export const title = "Page not found";
export const explanation = "Nothing grows at this address. It may have been a stall that has packed up.";
export const backToMarket = "Back to the market";
export const lookingFor = "Looking for something?";
export const askForHelp = "Ask us for help";
