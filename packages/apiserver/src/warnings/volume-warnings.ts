import { type KubernetesObject, member, memberObjects, memberText } from '@kubeadmit/apimachinery';
import { quote, trimRight } from '@kubeadmit/go';
import { claimSpecWarnings } from './claim-warnings.ts';

/** Volume types with the message about them, and the name in paths where it differs. */
const deprecated: readonly (readonly [type: string, message: string, shown?: string])[] = [
  ['photonPersistentDisk', 'deprecated in v1.11, non-functional in v1.16+'],
  ['gitRepo', 'deprecated in v1.11, and disabled by default in v1.33+'],
  ['scaleIO', 'deprecated in v1.16, non-functional in v1.22+'],
  ['flocker', 'deprecated in v1.22, non-functional in v1.25+'],
  ['storageos', 'deprecated in v1.22, non-functional in v1.25+', 'storageOS'],
  ['quobyte', 'deprecated in v1.22, non-functional in v1.25+'],
  ['glusterfs', 'deprecated in v1.25, non-functional in v1.26+'],
];
const laterDeprecated: typeof deprecated = [
  ['cephfs', 'deprecated in v1.28, non-functional in v1.31+'],
  ['rbd', 'deprecated in v1.28, non-functional in v1.31+'],
];

/** Returns warnings about the volumes of a pod. */
export function volumeWarnings(spec: unknown, path: string): readonly string[] {
  const volumes = memberObjects(spec, 'volumes');
  return [
    ...volumes.flatMap((volume, at) => typeWarnings(volume, `${path}.volumes[${at}]`)),
    ...volumes.flatMap(overlapWarnings),
  ];
}

function typeWarnings(volume: KubernetesObject, path: string): readonly string[] {
  const template = member(member(volume, 'ephemeral'), 'volumeClaimTemplate') ?? undefined;
  return [
    ...deprecatedTypes(volume, path, deprecated),
    ...(template === undefined
      ? []
      : claimSpecWarnings(member(template, 'spec'), `${path}.ephemeral.volumeClaimTemplate.spec`)),
    ...deprecatedTypes(volume, path, laterDeprecated),
  ];
}

function deprecatedTypes(
  volume: KubernetesObject,
  path: string,
  types: typeof deprecated,
): readonly string[] {
  return types.flatMap(([type, message, shown = type]) =>
    has(volume, type) ? [`${path}.${shown}: ${message}`] : [],
  );
}

function has(owner: unknown, key: string): boolean {
  return (member(owner, key) ?? undefined) !== undefined;
}

/** A path in a volume, and the source that it comes from. */
interface SourcePath {
  readonly path: string;
  readonly source: string;
}

/** Warnings about files of one volume whose paths are the same or contain each other. */
function overlapWarnings(volume: KubernetesObject): readonly string[] {
  const name = quote(memberText(volume, 'name'));
  const single = (['configMap', 'secret', 'downwardAPI'] as const).flatMap((type) => {
    const source = member(volume, type);
    if (!has(source, 'items')) return [];
    const title = titleOf(type, source, type === 'secret' ? 'secretName' : 'name');
    return overlaps(itemPaths(source, '')).map(
      (text) => `volume ${name} (${title}): overlapping paths: ${text}`,
    );
  });
  return [...single, ...projectedWarnings(volume, name)];
}

function titleOf(type: string, source: unknown, nameField: string): string {
  if (type === 'downwardAPI') return 'DownwardAPI';
  return `${type === 'secret' ? 'Secret' : 'ConfigMap'} ${quote(memberText(source, nameField))}`;
}

function itemPaths(source: unknown, title: string): readonly SourcePath[] {
  return memberObjects(source, 'items').map((item) => ({
    path: memberText(item, 'path'),
    source: title,
  }));
}

function projectedWarnings(volume: KubernetesObject, name: string): readonly string[] {
  const sources = memberObjects(member(volume, 'projected'), 'sources');
  const empty = sources
    .filter((source) => Object.keys(source).length === 0)
    .map(() => `volume ${name} (Projected) has no sources provided`);
  const paths = sources.flatMap(projectedPaths);
  return [
    ...empty,
    ...overlaps(paths).map((text) => `volume ${name} (Projected): overlapping paths: ${text}`),
  ];
}

function projectedPaths(projection: KubernetesObject): readonly SourcePath[] {
  for (const type of ['configMap', 'secret', 'downwardAPI']) {
    const source = member(projection, type);
    if (has(source, 'items')) return itemPaths(source, titleOf(type, source, 'name'));
  }
  const token = member(projection, 'serviceAccountToken');
  if (has(projection, 'serviceAccountToken')) {
    return [{ path: memberText(token, 'path'), source: 'ServiceAccountToken' }];
  }
  const bundle = member(projection, 'clusterTrustBundle');
  if (has(projection, 'clusterTrustBundle')) {
    const name = memberText(bundle, 'name') || memberText(bundle, 'signerName');
    return [{ path: memberText(bundle, 'path'), source: `ClusterTrustBundle ${quote(name)}` }];
  }
  const certificate = member(projection, 'podCertificate');
  return (
    [
      ['certificateChainPath', 'PodCertificate chain'],
      ['keyPath', 'PodCertificate key'],
      ['credentialBundlePath', 'PodCertificate credential bundle'],
    ] as const
  ).flatMap(([field, source]) => {
    const path = memberText(certificate, field);
    return path === '' ? [] : [{ path, source }];
  });
}

/** The most files of a volume that are compared, which takes the square of their number, and the most warnings. */
const most = { paths: 500, warnings: 1000 };

function overlaps(paths: readonly SourcePath[]): readonly string[] {
  const known: SourcePath[] = [];
  const texts: string[] = [];
  for (const { path, source } of paths.slice(0, most.paths)) {
    const own = { path: trimRight(path, '/'), source };
    const found = own.path === '' ? [] : known.filter((other) => isOverlap(own.path, other.path));
    known.push(own);
    for (const other of found) {
      if (texts.length < most.warnings) texts.push(`${show(own)} with ${show(other)}`);
    }
  }
  return texts;
}

function isOverlap(path: string, other: string): boolean {
  if (other === '') return false;
  return `${other}/`.startsWith(`${path}/`) || `${path}/`.startsWith(`${other}/`);
}

function show({ path, source }: SourcePath): string {
  return source === '' ? quote(path) : `${quote(path)} (${source})`;
}
