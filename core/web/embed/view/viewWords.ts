import type { With } from "../../charts/index.ts";

/** The words of the component in one language: controls, menus and messages. Exported files do not have them. */
export interface ViewWords {
  readonly loading: string;
  readonly retry: string;
  readonly request: string;
  readonly asTable: string;
  readonly asPicture: string;
  readonly legend: string;
  readonly chart: string;
  readonly ascending: string;
  readonly descending: string;
  readonly search: string;
  readonly cut: string;
  readonly from: string;
  readonly to: string;
  readonly filters: string;
  readonly remove: With<"name">;
  readonly clear: string;
  readonly ignored: With<"names">;
  readonly up: With<"name">;
  readonly noDashboard: string;
  readonly tokenEnded: string;
  /** Shown for an item with data that are gone, or hidden from the reader. */
  readonly noAccess: string;
  readonly noPicture: string;
  readonly options: string;
  readonly pdf: string;
  readonly png: string;
  readonly svg: string;
  readonly xlsx: string;
  readonly csv: string;
  readonly creating: string;
  readonly file: string;
  readonly alert: string;
  readonly measure: string;
  readonly groupBy: string;
  readonly when: string;
  readonly above: string;
  readonly below: string;
  readonly limit: string;
  readonly every: string;
  readonly hour: string;
  readonly day: string;
  readonly week: string;
  readonly mailTo: string;
  /** Says that links in the messages of an alert lack the reader's choices. */
  readonly plainLink: string;
  readonly cancel: string;
  readonly close: string;
  readonly createAlert: string;
  readonly creatingAlert: string;
  readonly created: string;
  /** Says why a chart without a frame is shown as a table. */
  readonly noFrame: string;
  /** Says that a chart of the organization failed and is shown as a table. */
  readonly chartFailed: With<"message">;
  readonly openLink: string;
  readonly filterBy: string;
  /** Why an image, a video or a web page is missing. */
  readonly notLoaded: string;
  /** Offers to tell which rows an item shows. */
  readonly whichRows: string;
  /** Which rows an item shows, or why it has none. */
  readonly why: {
    readonly noRows: string;
    readonly limited: string;
    readonly byShare: string;
    readonly byToken: string;
    readonly storedLeave: With<"left"> & With<"count">;
    readonly chosenLeave: With<"left"> & With<"count">;
    readonly groupsLeave: With<"count">;
    readonly allRows: With<"count">;
  };
}

/** The words of the component in English, which are always loaded. */
export const english: ViewWords = {
  loading: "Loading",
  retry: "Try again",
  request: "Request",
  asTable: "Show as a table",
  asPicture: "Show as a chart",
  legend: "Series",
  chart: "chart; use the arrow keys to move between its elements",
  ascending: "sorted in ascending order",
  descending: "sorted in descending order",
  search: "Search",
  cut: "There are more values. Search to find them",
  from: "From",
  to: "To",
  filters: "Filters",
  remove: "Remove the filter {name}",
  clear: "Clear all",
  ignored: "Not applied, because this dashboard has no such choice: {names}",
  up: "Back to the coarser level of {name}",
  noDashboard: "This dashboard could not be loaded",
  tokenEnded: "Your access has ended. Reload the page.",
  noAccess: "These data no longer exist, or you do not have access to them.",
  noPicture: "A part of this page could not be loaded. Try again, or reload the page.",
  options: "Options",
  pdf: "Document (PDF)",
  png: "Image (PNG)",
  svg: "Vector image (SVG)",
  xlsx: "Workbook (XLSX)",
  csv: "Rows (CSV)",
  creating: "Creating the file…",
  file: "data",
  alert: "Alert me",
  measure: "Value",
  groupBy: "Grouped by",
  when: "When it is",
  above: "above",
  below: "below",
  limit: "Limit",
  every: "Check it every",
  hour: "hour",
  day: "day",
  week: "week",
  mailTo: "Mail to:",
  plainLink:
    "The link in its messages opens the dashboard without your filters, because a link cannot hold that many.",
  cancel: "Cancel",
  close: "Close",
  createAlert: "Create the alert",
  creatingAlert: "Creating the alert…",
  created: "The alert is active. The filters that you see apply to it.",
  noFrame: "Shown as a table: the policy of this page does not allow frames from the host.",
  chartFailed: "Shown as a table: the chart failed. {message}",
  openLink: "Open link",
  filterBy: "Filter by this",
  notLoaded: "The content could not be loaded, or the policy of this page does not allow it.",
  whichRows: "Which rows are shown?",
  why: {
    noRows: "The data has no rows.",
    limited: "Your access is limited to a part of the data.",
    byShare: "A share limits your access to a part of the data.",
    byToken: "This page limits your access to a part of the data.",
    storedLeave: "Rows left by the filters of this dashboard: {left} of {count}.",
    chosenLeave: "Rows left by your choices: {left} of {count}.",
    groupsLeave: "Rows found: {count}, but no value passes the filters on values.",
    allRows: "No filter applies to the rows: {count}.",
  },
};
