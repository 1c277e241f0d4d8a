import { counted, isolated } from "../../../../language/index.ts";
import type { Words } from "./en.ts";

/** The words in German. */
export const words: Words = {
  title: "Custom charts",
  search: "Search custom charts",
  name: "Name",
  author: "Author",
  status: "Status",
  changed: "Changed",
  none: "No custom charts yet",
  noneText:
    "A custom chart is a script that draws the rows of a dashboard item. Custom charts are created through the API.",
  nothingFound: "No custom charts match",
  count: (count: number): string => counted(count, "chart", "charts"),
  statuses: {
    draft: "Draft: runs only for its author",
    changed: "Changed: others see the approved version",
    approved: "Approved",
  },
  open: "Review",
  review: (name: string): string => `Review ${isolated(name)}`,
  risk: "A custom chart can leak the data that it draws. Its script reads every row of its item, with the rights of whoever views the dashboard. The frame cannot send requests, but a browser may look up host names, and a host name can carry data out. Approve only scripts that you have read, from people you trust with the data.",
  script: "Script",
  saved: (at: string): string => `Saved ${at}`,
  approve: "Approve this version",
  withdraw: "Withdraw approval",
  approved: (name: string): string => `${isolated(name)} now runs for everyone`,
  withdrawn: (name: string): string => `${isolated(name)} now runs only for its author`,
  absent: "This chart no longer has any versions",
};
