/** The parts of an image name. */
export interface ImageName {
  readonly registry: string;
  readonly name: string;
  readonly path: string;
  readonly tag: string;
  readonly digest: string;
  readonly reference: string;
  readonly referenceWithTag: string;
}

const defaultRegistry = 'docker.io';
const longestPath = 255;
const digestLengths: ReadonlyMap<string, number> = new Map([
  ['sha256', 64],
  ['sha384', 96],
  ['sha512', 128],
]);

const component = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const domain = `(?:${component}(?:\\.${component})*|\\[[a-fA-F0-9:]+\\])(?::[0-9]+)?`;
const part = '[a-z0-9]+(?:(?:[._]|__|[-]+)[a-z0-9]+)*';
const path = `${part}(?:/${part})*`;
const digestText = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const referenceText = new RegExp(
  `^(?:(${domain})/)?(${path})(?::(\\w[\\w.-]{0,127}))?(?:@(${digestText}))?$`,
);

/** Reads the name of an image as Kyverno does, with `docker.io` and `latest` filled in; a string is the error. */
export function readImageName(image: string): ImageName | string {
  const full = withRegistry(image);
  const problem = (text: string): string =>
    `bad image: ${full}, defaultRegistry: ${defaultRegistry}, enableDefaultRegistryMutation: true: ${text}`;
  const read = readReference(full);
  if (typeof read === 'string') return problem(read);
  const { registry, path: imagePath, tag: givenTag, digest } = read;
  const tag = givenTag === '' && digest === '' ? 'latest' : givenTag;
  const base = registry === '' ? imagePath : `${registry}/${imagePath}`;
  return {
    registry,
    name: imagePath.slice(imagePath.lastIndexOf('/') + 1),
    path: imagePath,
    tag,
    digest,
    reference: digest === '' ? `${base}:${tag}` : `${base}@${digest}`,
    referenceWithTag: `${base}:${tag}`,
  };
}

interface Reference {
  readonly registry: string;
  readonly path: string;
  readonly tag: string;
  readonly digest: string;
}

/** The parts of a reference without defaults; a string is the error. */
export function readReference(text: string): Reference | string {
  const match = referenceText.exec(text);
  if (match === null) {
    return referenceText.test(text.toLowerCase())
      ? 'repository name must be lowercase'
      : 'invalid reference format';
  }
  const registry = match[1] ?? '';
  const imagePath = match[2] ?? '';
  const tag = match[3] ?? '';
  const digest = match[4] ?? '';
  if (imagePath.length > longestPath) {
    return `repository name must not be more than ${longestPath} characters`;
  }
  return digestProblem(digest) ?? { registry, path: imagePath, tag, digest };
}

function withRegistry(image: string): string {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isPath =
    slash < 0 || (!/[.:]/.test(first) && first !== 'localhost' && first.toLowerCase() === first);
  return isPath ? `${defaultRegistry}/${image}` : image;
}

function digestProblem(digest: string): string | undefined {
  if (digest === '') return undefined;
  const at = digest.indexOf(':');
  const length = digestLengths.get(digest.slice(0, at));
  if (length === undefined) return 'unsupported digest algorithm';
  const hex = digest.slice(at + 1);
  if (hex.length !== length) return 'invalid checksum digest length';
  return /^[a-f0-9]+$/.test(hex) ? undefined : 'invalid checksum digest format';
}
