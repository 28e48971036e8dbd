let open = $state(false);

/** Whether the palette is shown. */
export function paletteOpen(): boolean {
  return open;
}

/** Shows the palette. */
export function openPalette(): void {
  open = true;
}

/** Hides it. */
export function closePalette(): void {
  open = false;
}
