export const title = "Day";
