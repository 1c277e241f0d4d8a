// The Data page: datasets with their columns, uploads and connected sources.
// May import: core/web/console/api, core/web/console/boards, core/web/console/firstBoard, core/web/console/language,
// core/web/console/navigation, core/web/console/parts, core/web/console/questions, core/web/console/records,
// core/web/console/styles; lit.
export { DataPage } from "./dataPage.ts";
