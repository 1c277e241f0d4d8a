import { lazySheet } from "../view/index.ts";

/** The styles of frames in which custom charts draw. */
export const frameStyles = lazySheet(`
.mf-frame-stage {
  position: absolute; z-index: 1; inset: 4px; overflow: auto; pointer-events: none; border-radius: var(--manifold-radius, 6px);
  display: flex; flex-direction: column; background: var(--mf-background);
}
.mf-single .mf-frame-stage { inset: 0; }
.mf-frame-stage[hidden] { display: none; }
.mf-frame-stage.mf-frame-none { background: none; }
.mf-frame-stage > .mf-title { margin: 12px 16px 0; }
.mf-frame { display: block; flex: 1 0 auto; width: 100%; min-height: 0; border: 0; pointer-events: auto; background: var(--mf-background); }
`);
