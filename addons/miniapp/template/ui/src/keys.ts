/** Ctrl+Enter (or Cmd+Enter) saves, Escape gives up. */
export function saveKeys(save: () => void, cancel?: () => void): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.isComposing) return;
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
    else if (event.key === "Escape" && cancel) cancel();
    else return;
    event.preventDefault();
  };
}
