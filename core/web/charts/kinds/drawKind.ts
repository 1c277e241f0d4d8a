import type { Frame } from "../frame/frame.ts";

/** Draws a picture of one kind in its frame. */
export type DrawKind = (frame: Frame) => void;
