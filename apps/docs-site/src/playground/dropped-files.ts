/** Files by name. */
type Files = Readonly<Record<string, string>>;

/** Larger files are not read: manifests are small. */
const mostBytes = 20_000_000;

/**
 * Opens files that are dropped anywhere on the page. Returns a function that stops it.
 *
 * @param show called with true while files are dragged over the page, and with false afterwards
 */
export function takeDroppedFiles(
  open: (files: FileList) => void,
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
      if (files !== undefined && files.length > 0) open(files);
    },
  };
  const names = Object.keys(listeners) as (keyof typeof listeners)[];
  for (const name of names) document.addEventListener(name, listeners[name]);
  return () => {
    for (const name of names) document.removeEventListener(name, listeners[name]);
  };
}

/**
 * The texts of files that were dropped or chosen.
 *
 * @throws Error for files that are too large together
 */
export async function readFiles(files: FileList): Promise<Files> {
  requireSize([...files].reduce((sum, { size }) => sum + size, 0));
  const read = [...files].map(async (file) => [file.name, await file.text()] as const);
  return Object.fromEntries(await Promise.all(read));
}

/**
 * The bytes of a file.
 *
 * @throws Error for a file that is too large
 */
export function readBytes(file: File): Promise<ArrayBuffer> {
  requireSize(file.size);
  return file.arrayBuffer();
}

function requireSize(bytes: number): void {
  if (bytes > mostBytes) throw new Error('larger than 20 MB');
}
