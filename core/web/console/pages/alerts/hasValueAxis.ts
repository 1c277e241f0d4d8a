import { kindOfItem } from "../../../charts/index.ts";

const axisKinds: readonly (string | undefined)[] = ["bars", "lines"];

/** Returns whether items of a type are drawn with a value axis, on which a threshold can be shown. */
export const hasValueAxis = (type: string): boolean => axisKinds.includes(kindOfItem(type)?.kind);
