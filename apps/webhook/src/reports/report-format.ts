/** The groups whose reports can be written, and their kinds. */
export const reportFormats = {
  'wgpolicyk8s.io': {
    apiVersion: 'wgpolicyk8s.io/v1alpha2',
    namespaced: { kind: 'PolicyReport', resource: 'policyreports' },
    clusterWide: { kind: 'ClusterPolicyReport', resource: 'clusterpolicyreports' },
  },
  'openreports.io': {
    apiVersion: 'openreports.io/v1alpha1',
    namespaced: { kind: 'Report', resource: 'reports' },
    clusterWide: { kind: 'ClusterReport', resource: 'clusterreports' },
  },
} as const;

/** A group whose reports can be written. */
export type ReportGroup = keyof typeof reportFormats;
