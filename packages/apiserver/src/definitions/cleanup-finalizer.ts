/** What holds a definition until its objects are gone. */
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io';
