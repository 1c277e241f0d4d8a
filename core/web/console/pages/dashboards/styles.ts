import { css } from "lit";

/** Styles of the dashboard's grid, its bar, and the panel of the item being edited. */
export const dashboardStyles = css`
  @media print {
    .dashboard-bar .button,
    .dashboard-bar button,
    .dashboard-bar select,
    .dashboard-bar a,
    .item-panel {
      display: none !important;
    }
    .dashboard-bar {
      position: static !important;
      border: 0 !important;
    }
    .dashboard-body,
    .screen-frame {
      display: block !important;
      max-width: none !important;
    }
  }
  .dashboard-bar {
    position: sticky;
    top: var(--bar-height);
    z-index: 20;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-2) var(--space-4);
    background: var(--background);
    border-bottom: 1px solid var(--line);
  }
  .dashboard-bar h1 {
    flex: 1 1 200px;
    min-width: 0;
  }
  .dashboard-bar .input {
    width: auto;
  }
  .dashboard-bar select {
    max-width: 11rem;
    text-overflow: ellipsis;
  }
  .dashboard-bar .name-input {
    flex: 1 1 200px;
    min-width: 0;
    font-weight: 600;
    font-size: var(--size-l);
  }
  .dashboard-body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    align-items: start;
  }
  /* The panel covers the edge of the board, which keeps its width, so that no chart is laid out again. */
  .dashboard-body.editing {
    container-type: inline-size;
  }
  .dashboard-body.with-panel {
    grid-template-columns: minmax(0, 1fr) 344px;
  }
  .dashboard-body.editing .screen-frame {
    overflow-x: auto;
  }
  console-board {
    display: block;
    width: var(--board-width, 100cqi);
    padding: var(--space-3);
    transform-origin: 0 0;
  }
  .dashboard-body.editing .mobile {
    --board-width: 390px;
  }
  .dashboard-body.editing .tablet {
    --board-width: min(100cqi, 820px);
  }
  .dashboard-body.editing .fixed {
    --board-width: min(100cqi, 1200px);
  }
  .board {
    display: grid;
    grid-template-columns: repeat(48, minmax(0, 1fr));
    grid-auto-rows: 16px;
  }
  console-board-control {
    display: block;
    height: 100%;
  }
  .board-empty {
    display: grid;
    place-content: center;
    justify-items: center;
    gap: var(--space-1);
    height: 100%;
    padding: var(--space-3);
    text-align: center;
    background: var(--surface);
    border-radius: var(--radius);
  }
  .filter-columns {
    display: grid;
    gap: var(--space-2);
  }
  .filter-columns .column-kinds {
    max-height: 300px;
  }
  .filter-use {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .filter-use label {
    display: flex;
    gap: var(--space-2);
    align-items: baseline;
  }
  .filter-use label > span {
    display: grid;
  }
  console-live-dashboard {
    display: block;
    min-width: 0;
    padding: var(--space-3);
  }
  .screen-frame > .hint {
    margin: var(--space-3) var(--space-4) 0;
  }
  .item-table {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .item-table legend {
    padding: 0 0 var(--space-1);
    font-size: var(--size-s);
    font-weight: 600;
  }
  .item-panel .flag {
    display: flex;
    gap: var(--space-2);
    align-items: center;
  }
  .item-colors {
    display: grid;
    gap: var(--space-1);
    margin: 0;
    padding: 0;
    border: 0;
  }
  .item-colors legend {
    padding: 0 0 var(--space-1);
    font-size: var(--size-s);
    font-weight: 600;
  }
  .color-field {
    display: grid;
    grid-template-columns: minmax(0, 1fr) 48px 84px;
    gap: var(--space-2);
    align-items: center;
    min-height: 32px;
  }
  .color-field label {
    font-size: var(--size-s);
    font-weight: 600;
    overflow-wrap: anywhere;
  }
  .color-field input[type="color"] {
    width: 100%;
    height: 28px;
    padding: 2px;
  }
  .series-colors {
    display: flex;
    flex-wrap: wrap;
    gap: var(--space-1);
    align-items: center;
  }
  .series-colors input[type="color"] {
    width: 32px;
    height: 28px;
    padding: 2px;
  }
  .panel-head {
    display: flex;
    align-items: center;
    gap: var(--space-1);
  }
  .panel-part {
    display: grid;
    gap: var(--space-3);
    min-width: 0;
  }
  details.panel-part {
    padding-top: var(--space-3);
    border-top: 1px solid var(--line);
  }
  .panel-part > summary {
    font-weight: 600;
    cursor: pointer;
  }
  .panel-fields {
    display: grid;
    gap: var(--space-3);
    padding-top: var(--space-3);
  }
  .panel-dataset {
    margin: 0;
  }
  .dataset-choice {
    justify-content: flex-start;
    width: 100%;
    font-weight: 400;
  }
  .item-order {
    display: grid;
    grid-template-columns: minmax(0, 3fr) minmax(0, 2fr);
    gap: var(--space-2);
  }
  .custom-format {
    gap: var(--space-2);
    padding-left: var(--space-3);
    border-left: 2px solid var(--line);
  }
  .item-panel .shelves {
    grid-template-columns: minmax(0, 1fr);
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .item-panel .shelf {
    padding: 4px var(--space-2);
    border-right: 0;
  }
  .item-panel .shelf:nth-child(n + 2) {
    border-top: 1px solid var(--line);
  }
  .item-panel .column-kinds {
    max-height: 300px;
  }
  .cell-rules {
    display: grid;
    gap: var(--space-2);
    justify-items: start;
  }
  .cell-rule {
    display: grid;
    grid-template-columns: minmax(0, 1.3fr) minmax(0, 1fr) 32px 32px;
    gap: var(--space-1);
    align-items: center;
    width: 100%;
  }
  .cell-rule input[type="color"] {
    width: 100%;
    height: 32px;
    padding: 2px;
  }
  .item-place {
    display: grid;
    grid-template-columns: repeat(2, minmax(0, 1fr));
    gap: var(--space-2);
  }
  .themes {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(220px, 1fr));
    gap: var(--space-3);
  }
  .theme {
    display: grid;
    gap: var(--space-2);
    padding: var(--space-2);
    border: 1px solid var(--line);
    border-radius: var(--radius);
    background: var(--surface);
    color: inherit;
    font: inherit;
    text-align: left;
    cursor: pointer;
  }
  .theme.current {
    border-color: var(--accent);
    box-shadow: inset 0 0 0 1px var(--accent);
  }
  .theme-name {
    font-weight: 600;
  }
  .theme-sample {
    display: block;
    padding: 6px;
    border-radius: 4px;
    height: 220px;
  }
  .theme-sample > span {
    display: block;
    height: 100%;
  }
  .embed-preview {
    overflow: auto;
    max-height: 420px;
    border: 1px solid var(--line);
    border-radius: var(--radius);
  }
  .differences ul {
    display: grid;
    gap: var(--space-1);
    margin: var(--space-2) 0 0;
    padding: 0;
    list-style: none;
  }
  .differences summary {
    cursor: pointer;
  }
  .differences ul li {
    display: block;
    padding: 0;
    border: 0;
  }
  .board-item {
    position: relative;
    padding: 4px;
    scroll-margin: calc(var(--bar-height) + 72px) 8px 8px;
    min-width: 0;
    min-height: 0;
  }
  .board-item console-picture {
    width: 100%;
    height: 100%;
  }
  .board.editing .board-item {
    cursor: move;
    touch-action: none;
    border-radius: var(--radius);
    outline: 1px dashed var(--line-strong);
    outline-offset: -4px;
  }
  .board.editing .board-item.selected,
  .board.editing .board-item:focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: -4px;
    z-index: 1;
  }
  .board-item .resize {
    position: absolute;
    right: 4px;
    bottom: 4px;
    width: 18px;
    height: 18px;
    cursor: nwse-resize;
    border-right: 3px solid var(--accent);
    border-bottom: 3px solid var(--accent);
    border-bottom-right-radius: var(--radius);
  }
  console-item-panel {
    display: block;
    position: sticky;
    top: calc(var(--bar-height) + 62px);
    min-width: 0;
  }
  .item-panel {
    display: grid;
    gap: var(--space-3);
    margin: var(--space-4) var(--space-4) 0 0;
    padding: var(--space-3) var(--space-4) var(--space-4);
    max-height: calc(100vh - var(--bar-height) - 90px);
    overflow-y: auto;
  }
  .versions {
    display: grid;
    gap: var(--space-2);
    margin: 0;
    padding: 0;
    list-style: none;
  }
  .versions li {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: var(--space-2);
    padding: var(--space-2) 0;
    border-bottom: 1px solid var(--line);
  }
  .versions .input {
    width: auto;
  }
  console-picture {
    display: block;
    min-width: 0;
    min-height: 0;
    overflow: hidden;
    background: var(--surface);
    border-radius: var(--radius);
  }
  .screen-frame {
    margin: 0 auto;
    width: 100%;
  }
  .screen-frame.mobile {
    max-width: 390px;
  }
  .dashboard-body.editing .screen-frame.mobile,
  .dashboard-body.editing .screen-frame.tablet {
    margin-top: var(--space-3);
    border: 1px solid var(--line-strong);
    border-radius: 16px;
    background: var(--background);
  }
  .screen-frame.tablet {
    max-width: 820px;
  }
  .screen-frame.fixed {
    max-width: 1200px;
  }
  @media (max-width: 800px) {
    .dashboard-body.with-panel {
      grid-template-columns: minmax(0, 1fr);
    }
    .board-item {
      scroll-margin: calc(var(--bar-height) + 8px) 8px calc(55vh + 8px);
    }
    console-item-panel {
      position: sticky;
      top: auto;
      bottom: 0;
      z-index: 20;
    }
    .item-panel {
      margin: 0;
      max-height: 55vh;
      border-radius: var(--radius) var(--radius) 0 0;
      box-shadow: var(--shadow);
    }
    console-board {
      padding: var(--space-2);
    }
    .dashboard-bar {
      padding: var(--space-2) var(--space-3);
      position: static;
    }
  }
`;
