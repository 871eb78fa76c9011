export const title = "Today";
