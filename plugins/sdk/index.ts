// The library for plugin authors: definePlugin, serve, and the types of the protocol.
// May import: plugins/protocol; @koa/router, koa.
export * from "../protocol/index.ts";
export {
  type BasicDefinition,
  type CapableDefinition,
  type ColumnDefinition,
  type DatasetDefinition,
  definePlugin,
  type PluginDefinition,
  type RowCells,
  type RowsCall,
  type Text,
} from "./definePlugin.ts";
export { serve, type Served, type ServeOptions } from "./serve.ts";
