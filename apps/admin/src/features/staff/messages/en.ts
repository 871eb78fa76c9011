export const title = "Staff";
