import type { Manifest } from '@kubeadmit/manifest';
import { isSuiteName } from '../lookup/field-at.ts';
import { objectsOf } from '../policy/object-view.ts';
import type { Part } from '../workspace/part.ts';
import type { TextDocument } from '../workspace/text-document.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { itemsOf, nodeAt } from '../yaml/nodes.ts';

/** A comment that names a file with objects on which a policy is tried. */
export const exampleComment: RegExp = /^[ \t]*#[ \t]*kubeadmit:[ \t]*example[ \t]+(\S+)[ \t\r]*$/gm;
const most = 8;

/**
 * The objects on which a policy is tried in the editor: of the files that a comment in its document names
 * (`# kubeadmit: example pod.yaml`, beside its own file), and of the tests that name the policy.
 */
export function examplesOf(
  workspace: Workspace,
  document: TextDocument,
  part: Part,
  policy: string,
): readonly Manifest[] {
  const named = [...part.text.matchAll(exampleComment)].map(([, path = '']) =>
    besides(document.uri, path),
  );
  const tested = [...workspace.parts()].flatMap(({ document: home, part: test }) =>
    isSuiteName(home.name)
      ? suiteFiles(test, (path) => besides(home.uri, path) === document.uri).map((path) =>
          besides(home.uri, path),
        )
      : testFiles(test, policy).map((path) => besides(home.uri, path)),
  );
  const found = [...new Set([...named, ...tested])].flatMap((uri) => {
    const file = workspace.document(uri);
    return file === undefined || file === document
      ? []
      : file.parts.flatMap((each) => each.read().manifests);
  });
  return found
    .filter(
      ({ group, kind }) =>
        !group.endsWith('kyverno.io') &&
        !/AdmissionPolicy(?:Binding)?$|^CustomResourceDefinition$/.test(kind),
    )
    .slice(0, most);
}

/** The files with objects of a suite that tests the policies of a file. */
function suiteFiles(part: Part, isTested: (path: string) => boolean): readonly string[] {
  const texts = (name: string): readonly string[] => {
    const node = nodeAt(part.outline, name);
    return (node?.kind === 'scalar' ? [node] : itemsOf(node)).flatMap(
      (item) => part.textOf(item) ?? [],
    );
  };
  if (!texts('policies').some(isTested)) return [];
  return [...texts('object'), ...texts('objects')].map((path) => path.replace(/#.*$/, ''));
}

/** The files with objects of the tests that name a policy. */
function testFiles(part: Part, policy: string): readonly string[] {
  if (!part.text.includes(policy)) return [];
  return objectsOf(part).flatMap(({ group, root }) => {
    if (group !== 'cli.kyverno.io') return [];
    const names = itemsOf(nodeAt(root, 'results')).map((result) =>
      part.textOf(nodeAt(result, 'policy')),
    );
    if (!names.includes(policy)) return [];
    return itemsOf(nodeAt(root, 'resources')).flatMap((path) => part.textOf(path) ?? []);
  });
}

/** The URI of a path that is relative to another file. */
export function besides(uri: string, path: string): string {
  const steps = uri.slice(0, uri.lastIndexOf('/')).split('/');
  for (const step of path.split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '.') steps.push(encodeURIComponent(step.replace(/\p{Cs}/gu, '')));
  }
  return steps.join('/');
}
