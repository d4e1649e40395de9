const component = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const host = `(?:${component}(?:\\.${component})*|\\[[a-fA-F0-9:]+\\])`;
const segment = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const name = `(?:${host}(?::[0-9]+)?/)?${segment}(?:/${segment})*`;
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
const reference = new RegExp(
  `^(${name})(?::([A-Za-z0-9_][A-Za-z0-9_.-]{0,127}))?(?:@(${digest}))?$`,
);
const identifier = /^[a-f0-9]+$/;
const validDigest = /^(?:sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128})$/;
const maxPathLength = 255;

/**
 * Whether an image has the tag `latest`, explicitly or by default (Kubernetes, `parsers.ParseImageName`, which
 * parses references as Docker does); false for invalid references.
 */
export function isLatest(image: string): boolean {
  if (image.length === 64 && identifier.test(image)) return false;
  const { domain, path } = splitDomain(image);
  const colon = path.indexOf(':');
  const repository = colon >= 0 ? path.slice(0, colon) : path;
  if (repository !== repository.toLowerCase()) return false;
  const match = reference.exec(`${domain}/${path}`);
  if (!match) return false;
  const [, full = '', tag, hash] = match;
  if (full.length - domain.length - 1 > maxPathLength) return false;
  if (hash !== undefined && !validDigest.test(hash)) return false;
  return tag === undefined ? hash === undefined : tag === 'latest';
}

function splitDomain(image: string): { readonly domain: string; readonly path: string } {
  const slash = image.indexOf('/');
  const first = image.slice(0, Math.max(slash, 0));
  const isDomain =
    slash >= 0 && (/[.:]/.test(first) || first === 'localhost' || first !== first.toLowerCase());
  let domain = isDomain ? first : 'docker.io';
  let path = isDomain ? image.slice(slash + 1) : image;
  if (domain === 'index.docker.io') domain = 'docker.io';
  if (domain === 'docker.io' && !path.includes('/')) path = `library/${path}`;
  return { domain, path };
}
