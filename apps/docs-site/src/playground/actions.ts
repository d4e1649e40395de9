import { firstExample } from '../examples/first-example.ts';
import { readBytes, readFiles } from './dropped-files.ts';
import { exportedTest } from './exported-test.ts';
import { kubectlScript } from './kubectl.ts';
import { fragmentOf, holdsFiles, readFragment } from './share-link.ts';
import type { PlaygroundModel } from './state.ts';

/** Puts everything into the address of the page, and into the clipboard where that is allowed. */
export async function share(model: PlaygroundModel): Promise<void> {
  const { files, request, kubernetesVersion, otherVersion } = model.state;
  const shared = { files: { ...files }, request: { ...request }, kubernetesVersion, otherVersion };
  try {
    history.replaceState(history.state, '', await fragmentOf(shared));
  } catch (error) {
    model.say(error instanceof Error ? error.message : String(error));
    return;
  }
  const wasCopied = await copied(location.href);
  model.say(
    wasCopied
      ? 'Link copied. It contains all files.'
      : 'Copy the address of this page to share it.',
  );
}

/** Opens the files or the example in the address, or the first example, synchronously if possible. */
export async function openFirst(model: PlaygroundModel): Promise<void> {
  if (holdsFiles(location.hash) && (await openShared(model))) return;
  const name = new URLSearchParams(location.search).get('example');
  const named =
    name === null ? undefined : (await model.loadExamples()).find((each) => each.name === name);
  model.open((named ?? firstExample).files);
}

/** Opens the files in the address of the page. Returns whether there were any. */
export async function openShared(model: PlaygroundModel): Promise<boolean> {
  try {
    const shared = await readFragment(location.hash);
    if (shared === undefined) return false;
    model.restore(shared);
    return true;
  } catch (error) {
    model.say(error instanceof Error ? error.message : String(error));
    return false;
  }
}

/** Saves all files in an archive, with a test that expects their current results. */
export async function exportFiles(model: PlaygroundModel): Promise<void> {
  const { packFiles } = await import('./archive.ts');
  const { files, judgement } = model.state;
  const test = judgement === undefined ? undefined : exportedTest(files, judgement);
  const all = test === undefined ? files : { ...files, 'kyverno-test.yaml': test };
  const archive = packFiles(all, 'kubeadmit-playground');
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([archive], { type: 'application/zip' }));
  link.download = 'kubeadmit-playground.zip';
  link.click();
  // A browser may begin to read it later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
  model.say('Saved as kubeadmit-playground.zip.');
}

/** Opens files that were chosen or dropped: manifests, or one archive of manifests. */
export async function importFiles(model: PlaygroundModel, chosen: FileList): Promise<void> {
  const [first] = chosen;
  if (first === undefined) return;
  try {
    model.open(first.name.endsWith('.zip') ? await unpackFile(first) : await readFiles(chosen));
  } catch (error) {
    model.say(`${first.name} cannot be opened: ${error instanceof Error ? error.message : error}.`);
  }
}

async function unpackFile(file: File): Promise<Record<string, string>> {
  const { unpackFiles } = await import('./archive.ts');
  return unpackFiles(new Uint8Array(await readBytes(file)));
}

/** Copies a script that asks a real cluster the same. */
export async function copyAsKubectl(model: PlaygroundModel): Promise<void> {
  const { files, judgement } = model.state;
  const tried = new Set(judgement?.objects.map(({ file }) => file));
  const wasCopied = await copied(kubectlScript(files, tried));
  model.say(wasCopied ? 'kubectl script copied.' : noClipboard);
}

/** Copies a text, and says so. */
export async function copyText(model: PlaygroundModel, text: string): Promise<void> {
  model.say((await copied(text)) ? 'Copied.' : noClipboard);
}

const noClipboard = 'The browser does not allow access to the clipboard.';

async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
