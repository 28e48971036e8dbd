/** Where a long list of equal rows is, in pixels. */
export interface ListPosition {
  readonly top: number;
  readonly visible: number;
  readonly rowHeight: number;
  readonly count: number;
}

/** Rows beyond the edges that are there already, for a quick hand. */
const BEYOND = 8;

/** Which rows have to be in the page: from the first to before the last; never more than `slots`. */
export function rowsInView(
  { top, visible, rowHeight, count }: ListPosition,
): { readonly from: number; readonly to: number; readonly slots: number } {
  const first = Math.floor(top / rowHeight), last = Math.ceil((top + visible) / rowHeight);
  const slots = Math.ceil(visible / rowHeight) + 1 + 2 * BEYOND;
  return { from: Math.max(0, Math.min(count, first - BEYOND)), to: Math.min(count, last + BEYOND), slots };
}
