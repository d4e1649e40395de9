// Command pod-security evaluates pods with the checks of k8s.io/pod-security-admission: a JSON case a line on standard
// input, {"level", "version", "pod"}, and the violations as JSON on standard output, in the same order.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/pod-security-admission/api"
	"k8s.io/pod-security-admission/policy"
)

type question struct {
	Level   string     `json:"level"`
	Version string     `json:"version"`
	Pod     corev1.Pod `json:"pod"`
}

type violation struct {
	Reason string `json:"reason"`
	Detail string `json:"detail"`
}

func main() {
	evaluator, err := policy.NewEvaluator(policy.DefaultChecks(), nil)
	check(err)
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	answers := json.NewEncoder(os.Stdout)
	answers.SetEscapeHTML(false)
	for lines.Scan() {
		var asked question
		check(json.Unmarshal(lines.Bytes(), &asked))
		version, err := api.ParseVersion(asked.Version)
		check(err)
		standard := api.LevelVersion{Level: api.Level(asked.Level), Version: version}
		found := []violation{}
		for _, result := range evaluator.EvaluatePod(standard, &asked.Pod.ObjectMeta, &asked.Pod.Spec) {
			if !result.Allowed {
				found = append(found, violation{result.ForbiddenReason, result.ForbiddenDetail})
			}
		}
		check(answers.Encode(found))
	}
	check(lines.Err())
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}
