/*
 * Makes the access paths switchable in all threads of a process that is started with `--import` of this file. The
 * module rewrites the engine's sources while they are loaded, so that the product contains no switches.
 */
import { registerHooks } from "node:module";
import { getEnvironmentData, isMainThread, setEnvironmentData } from "node:worker_threads";
import { makeSwitchable } from "./accessPath.ts";
import { accessPaths } from "./accessPaths.ts";

const name = "accessPaths";
if (isMainThread)
  setEnvironmentData(name, new Int32Array(new SharedArrayBuffer(8 * accessPaths.length)));

/**
 * Two numbers per path, shared by all threads: 1 if the path is switched off, and the number of times it was chosen.
 */
export const switches = getEnvironmentData(name) as Int32Array;

Object.assign(globalThis, {
  accessPaths: {
    isOff: (index: number) => switches[2 * index] === 1,
    chosen: <Value>(index: number, value: Value): Value => {
      if (value) switches[2 * index + 1]!++;
      return value;
    },
  },
});

const operators = new URL("../../../engine/operators/", import.meta.url).href;

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    let source = String(loaded.source);
    let isSwitched = false;
    for (const [index, path] of accessPaths.entries())
      if (url === new URL(path.file, operators).href) {
        source = makeSwitchable(source, path, index);
        isSwitched = true;
      }
    return isSwitched ? { ...loaded, source } : loaded;
  },
});
