/** A mistake in a configuration that kube-apiserver finds when it initializes the plugin, and not when it reads it. */
export class InitializationError extends Error {}
