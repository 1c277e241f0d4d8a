import type { Frame } from "../frame/frame.ts";
import type { KindFamily, KindsOf } from "../item/itemKinds.ts";

/** Draws a picture of one kind in its frame. */
export type DrawKind = (frame: Frame) => void;

/** The drawings of a family: one for each of its kinds. */
export type FamilyKinds<Family extends KindFamily> = Readonly<Record<KindsOf<Family>, DrawKind>>;
