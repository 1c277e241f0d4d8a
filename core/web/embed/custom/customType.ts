/** The type of items that are drawn by one of the organization's own charts. */
export const customType = "custom-chart";
