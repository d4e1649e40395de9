/** The parts of a test's review that differ from the default. */
export interface ReviewParts {
  readonly apiVersion?: string;
  readonly request?: Readonly<Record<string, unknown>>;
  readonly object?: Readonly<Record<string, unknown>>;
}

/** The AdmissionReview of the creation of a ConfigMap. */
export function configMapReview({ apiVersion, request, object }: ReviewParts = {}): string {
  const metadata = { name: 'settings', namespace: 'shop' };
  return JSON.stringify({
    apiVersion: apiVersion ?? 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: {
      uid: 'b9f6c1d2-0000-4000-8000-000000000001',
      kind: { group: '', version: 'v1', kind: 'ConfigMap' },
      resource: { group: '', version: 'v1', resource: 'configmaps' },
      requestKind: { group: '', version: 'v1', kind: 'ConfigMap' },
      requestResource: { group: '', version: 'v1', resource: 'configmaps' },
      name: 'settings',
      namespace: 'shop',
      operation: 'CREATE',
      userInfo: { username: 'alice', groups: ['developers', 'system:authenticated'] },
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata, ...object },
      oldObject: null,
      dryRun: false,
      options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' },
      ...request,
    },
  });
}
