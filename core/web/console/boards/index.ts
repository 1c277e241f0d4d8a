// Dashboards in lists: cards with pictures drawn from their data, search, collections and favourites, and actions.
// May import: core/web/charts, core/web/console/api, core/web/console/language, core/web/console/parts,
// core/web/console/pictures, core/web/embed; lit.
export { boardCard, type BoardCardOptions } from "./boardCard.ts";
export { BoardPicture } from "./boardPicture.ts";
export { changeFavorite, readCollections, type Collection, type Collections } from "./favorites.ts";
export { readBoards, type BoardOrder, type BoardSearch, type ListedBoard } from "./listedBoard.ts";
export { starButton, type StarButtonOptions } from "./starButton.ts";
export { boardStyles, starStyles } from "./styles.ts";
export { titlesIn, type ChartTitle } from "./titlesIn.ts";
