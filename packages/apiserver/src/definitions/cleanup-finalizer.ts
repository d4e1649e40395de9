/** The finalizer that keeps a definition until its objects are deleted. */
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io';
