/** Files by name. */
type Files = Readonly<Record<string, string>>;

/**
 * Takes files that are dropped anywhere on the page; gives what ends it.
 *
 * @param show is told when files are held over the page, and when they are not any more.
 */
export function takeDroppedFiles(
  open: (files: Files) => void,
  show: (isDropping: boolean) => void,
): () => void {
  const listeners = {
    dragover(event: DragEvent) {
      event.preventDefault();
      show(true);
    },
    dragleave(event: DragEvent) {
      if (event.relatedTarget === null) show(false);
    },
    drop(event: DragEvent) {
      event.preventDefault();
      show(false);
      const files = event.dataTransfer?.files;
      if (files !== undefined && files.length > 0) void readFiles(files).then(open);
    },
  };
  const names = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const name of names) document.addEventListener(name, listeners[name]);
  return () => {
    for (const name of names) document.removeEventListener(name, listeners[name]);
  };
}

/** The texts of files that were dropped or chosen. */
export async function readFiles(files: FileList): Promise<Files> {
  const read = [...files].map(async (file) => [file.name, await file.text()] as const);
  return Object.fromEntries(await Promise.all(read));
}
