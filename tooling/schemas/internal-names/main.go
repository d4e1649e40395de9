// Command internal-names writes how kube-apiserver's internal Go types name and order the fields of pods and claims,
// as a TypeScript module. JSON of an internal struct, which messages show, has these names. Standard error lists fields
// whose types differ from those of v1; the module cannot express them.
package main

import (
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
)

const internal, external = "k8s.io/kubernetes/pkg/apis/core", "k8s.io/api/core/v1"

// inner is the struct that a type leads to through pointers, lists and maps.
func inner(t reflect.Type) reflect.Type {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	return t
}

// shape is a type without the packages and names of its parts.
func shape(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shape(t.Elem())
	case reflect.Slice:
		return "[]" + shape(t.Elem())
	case reflect.Map:
		return "{}" + shape(t.Elem())
	case reflect.Struct:
		return t.Name()
	}
	return t.Kind().String()
}

const head = `/**
 * The fields of structs of core/v1 in kube-apiserver's internal types, by their names in Go and in their order
 * (kubernetes pkg/apis/core/types.go). NAME=FIELD names the field in v1 if it is not NAME with a small first letter;
 * ...FIELD is an embedded struct. Written by tooling/schemas/internal-names.
 */
export const internalNames: Readonly<Record<string, string>> = {
`

type line struct {
	own   reflect.Type
	names []string
}

type maker struct{ lines map[string]*line }

func (m *maker) add(own, other reflect.Type) {
	if own.Kind() != reflect.Struct || own.PkgPath() != internal || m.lines[other.Name()] != nil {
		return
	}
	if other.PkgPath() != external {
		fmt.Fprintf(os.Stderr, "%v has no type in v1\n", own)
		return
	}
	made := &line{own: own}
	m.lines[other.Name()] = made
	m.fields(own, other, &made.names)
}

func (m *maker) fields(own, other reflect.Type, names *[]string) {
	for i := 0; i < own.NumField(); i++ {
		field := own.Field(i)
		if tag := field.Tag.Get("json"); tag != "" {
			fmt.Fprintf(os.Stderr, "%v.%s has the tag %s\n", own, field.Name, tag)
		}
		if field.Anonymous && field.Type.PkgPath() == internal {
			embedded, ok := other.FieldByName(field.Name)
			if !ok {
				fmt.Fprintf(os.Stderr, "%v.%s is not in v1\n", own, field.Name)
				continue
			}
			m.fields(field.Type, embedded.Type, names)
			continue
		}
		same, ok := other.FieldByName(field.Name)
		if !ok {
			fmt.Fprintf(os.Stderr, "%v.%s %s is not in v1\n", own, field.Name, field.Type)
			*names = append(*names, field.Name+"=?")
			continue
		}
		if field.Anonymous {
			*names = append(*names, "..."+strings.Split(same.Tag.Get("json"), ",")[0])
			continue
		}
		if shape(field.Type) != shape(same.Type) {
			fmt.Fprintf(os.Stderr, "%v.%s: %s, in v1 %s\n", own, field.Name, shape(field.Type), shape(same.Type))
		}
		name := strings.Split(same.Tag.Get("json"), ",")[0]
		text := field.Name
		if name != strings.ToLower(field.Name[:1])+field.Name[1:] {
			text += "=" + name
		}
		*names = append(*names, text)
		m.add(inner(field.Type), inner(same.Type))
	}
}

func main() {
	m := &maker{lines: map[string]*line{}}
	m.add(reflect.TypeFor[core.PodSpec](), reflect.TypeFor[corev1.PodSpec]())
	m.add(reflect.TypeFor[core.EphemeralContainer](), reflect.TypeFor[corev1.EphemeralContainer]())
	m.add(reflect.TypeFor[core.PersistentVolumeClaimSpec](), reflect.TypeFor[corev1.PersistentVolumeClaimSpec]())
	names := []string{}
	for name := range m.lines {
		names = append(names, name)
	}
	sort.Strings(names)
	fmt.Print(head)
	for _, name := range names {
		fmt.Printf("  %s: '%s',\n", name, strings.Join(m.lines[name].names, " "))
	}
	fmt.Println("};")
}
