// The language alone: all that its main entry gives.
export * from '@kubeadmit/cel';
