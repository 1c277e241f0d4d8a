// Images, videos and web pages of other servers. The script loads with the first item that shows one.
// May import: core/web/charts, core/web/embed/view.
export { loadMediaCover } from "./loadMediaCover.ts";
