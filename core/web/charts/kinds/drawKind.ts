import type { Frame } from "../frame/frame.ts";
import type { KindFamily, KindsOf } from "../item/itemKinds.ts";

/** Draws a picture of one kind into its frame. */
export type DrawKind = (frame: Frame) => void;

/** The draw functions of a family, one per kind. */
export type FamilyKinds<Family extends KindFamily> = Readonly<Record<KindsOf<Family>, DrawKind>>;
