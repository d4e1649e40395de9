/**
 * Warnings with the first minor version that has them (pkg/api/pod/warnings.go, pkg/api/service/warnings.go,
 * pkg/api/node/util.go, pkg/api/persistentvolume/util.go and the strategies of resource quotas and stateful sets in
 * https://github.com/kubernetes/kubernetes of v1.30 to v1.37). Every version has the other warnings.
 */
const introduced: readonly (readonly [text: RegExp, since: number])[] = [
  [/: deprecated since v1\.9$|: deprecated since v1\.22; use Taints and Tolerations instead$/, 31],
  [/: use "node-role\.kubernetes\.io\/control-plane" instead$/, 31],
  [/; use "mountOptions" attribute instead$/, 31],
  [/: overlapping paths: /, 32],
  [/ has no sources provided$/, 32],
  [/: duplicate port name ".*" with /, 33],
  [/\.matchExpressions\[\d+\]\.values\[\d+\]: .* is invalid, /, 33],
  [/^spec\.revisionHistoryLimit: a negative value /, 33],
  [/ is ignored for headless services$/, 34],
  [/^spec\.trafficDistribution: "PreferClose" is deprecated; /, 35],
  [/^ResourceQuota .* should be less than /, 35],
  [/^spec\.externalIPs is deprecated /, 36],
];

const disabledDriver = ', and disabled by default in v1.33+';

/** Returns the warnings of a minor version, of those of the newest one. */
export function warningsOfVersion(texts: readonly string[], minor: number): readonly string[] {
  if (texts.length === 0) return texts;
  return texts
    .filter((text) => introduced.every(([own, since]) => minor >= since || !own.test(text)))
    .map((text) => (minor < 33 ? text.replace(disabledDriver, '') : text));
}
