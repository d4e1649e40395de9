/** The name of the configuration file of a repository. */
export const configurationFile = 'kubeadmit.yaml';
