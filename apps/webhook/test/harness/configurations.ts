/** The webhook configurations of both kinds, which ask a webhook of this machine. */
export function webhookConfigurations(
  name: string,
  port: number,
  {
    failurePolicy = 'Fail',
    timeoutSeconds = 10,
    caBundle = '',
    groups = ['*'],
    resources = ['configmaps'],
  } = {},
): readonly { readonly path: string; readonly object: object }[] {
  return (['mutate', 'validate'] as const).map((step) => {
    const kind = step === 'mutate' ? 'MutatingWebhook' : 'ValidatingWebhook';
    return {
      path: `/apis/admissionregistration.k8s.io/v1/${kind.toLowerCase()}configurations`,
      object: {
        apiVersion: 'admissionregistration.k8s.io/v1',
        kind: `${kind}Configuration`,
        metadata: { name },
        webhooks: [
          {
            name: `${step}.kubeadmit.dev`,
            admissionReviewVersions: ['v1'],
            sideEffects: 'None',
            failurePolicy,
            timeoutSeconds,
            clientConfig: {
              url: `https://127.0.0.1:${port}/${step}`,
              ...(caBundle === '' ? {} : { caBundle }),
            },
            rules: [
              {
                apiGroups: groups,
                apiVersions: ['*'],
                operations: ['*'],
                resources,
                scope: '*',
              },
            ],
          },
        ],
      },
    };
  });
}
