/** A built-in theme. Its colors have the format of a dashboard's `theme` member. */
interface BuiltInTheme {
  readonly id: string;
  readonly name: string;
  readonly background: string;
  readonly itemsBackground: string;
  readonly mainColor: string;
  readonly colors: readonly string[];
  readonly dark?: true;
}

const themes: readonly BuiltInTheme[] = [
  {
    id: "default",
    name: "Default",
    background: "#f5f6f8",
    itemsBackground: "#ffffff",
    mainColor: "#2f5fc4",
    // The colors of `lightTheme` and `darkTheme` in core/web/charts; a test compares them.
    colors: [
      "#2f5fc4",
      "#c08a00",
      "#d8375c",
      "#1ea4a0",
      "#616d00",
      "#6516a9",
      "#e76b8b",
      "#6081b8",
      "#633513",
      "#3a3d44",
    ],
  },
  {
    id: "default_dark",
    name: "Default, dark",
    background: "#14161a",
    itemsBackground: "#1d2128",
    mainColor: "#5b8def",
    colors: [
      "#5b8def",
      "#ffc231",
      "#c53c29",
      "#8ce5cf",
      "#3fc788",
      "#8f4dda",
      "#c35582",
      "#99bef7",
      "#b68365",
      "#989ca4",
    ],
    dark: true,
  },
  {
    id: "vivid",
    name: "Vivid",
    background: "#ffffff",
    itemsBackground: "#ffffff",
    mainColor: "#7b2ff7",
    colors: ["#7b2ff7", "#f72585", "#00b4d8", "#ffb703", "#06d6a0", "#ef476f", "#3a86ff"],
  },
  {
    id: "seasonal",
    name: "Seasonal",
    background: "#faf6ef",
    itemsBackground: "#ffffff",
    mainColor: "#b5651d",
    colors: ["#b5651d", "#d98e04", "#7a9e3f", "#3f704d", "#8c2f39", "#5b7f95"],
  },
  {
    id: "orion",
    name: "Orion",
    background: "#0d1321",
    itemsBackground: "#1d2d44",
    mainColor: "#5fa8d3",
    colors: ["#5fa8d3", "#f0a202", "#a4c3b2", "#d95d39", "#c3bef0", "#f7ede2"],
    dark: true,
  },
  {
    id: "royale",
    name: "Royale",
    background: "#f6f3fa",
    itemsBackground: "#ffffff",
    mainColor: "#4b2e83",
    colors: ["#4b2e83", "#b7a57a", "#85754d", "#7d5ba6", "#2d4059", "#c06c84"],
  },
  {
    id: "urban",
    name: "Urban",
    background: "#eceff1",
    itemsBackground: "#ffffff",
    mainColor: "#37474f",
    colors: ["#37474f", "#ff7043", "#78909c", "#ffca28", "#26a69a", "#8d6e63"],
  },
  {
    id: "pinky",
    name: "Pinky",
    background: "#fff0f5",
    itemsBackground: "#ffffff",
    mainColor: "#d6336c",
    colors: ["#d6336c", "#f783ac", "#845ef7", "#ffa8a8", "#22b8cf", "#fab005"],
  },
  {
    id: "bliss",
    name: "Bliss",
    background: "#f1faf9",
    itemsBackground: "#ffffff",
    mainColor: "#0ca678",
    colors: ["#0ca678", "#63e6be", "#4dabf7", "#b197fc", "#ffd43b", "#ff8787"],
  },
  {
    id: "radiant",
    name: "Radiant",
    background: "#fffaf0",
    itemsBackground: "#ffffff",
    mainColor: "#e8590c",
    colors: ["#e8590c", "#fab005", "#d6336c", "#f76707", "#ae3ec9", "#1c7ed6"],
  },
  {
    id: "classic",
    name: "Classic",
    background: "#ffffff",
    itemsBackground: "#ffffff",
    mainColor: "#1f77b4",
    colors: ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2"],
  },
  {
    id: "classic_dark",
    name: "Classic, dark",
    background: "#1b1b1b",
    itemsBackground: "#262626",
    mainColor: "#1f77b4",
    colors: ["#1f77b4", "#ff7f0e", "#2ca02c", "#d62728", "#9467bd", "#8c564b", "#e377c2"],
    dark: true,
  },
];

/** The built-in themes as records. Every organization sees them, and nobody can change them. */
export const builtInThemes = themes.map(({ id, name, dark = false, ...look }) => ({
  id,
  name: { en: name },
  theme: { type: dark ? "dark" : "light", ...look },
}));
