/** Longer scripts, as a model writes them for a task. Each must do the same as in bash, on the same files. */
export const TASKS: readonly string[] = [
  // Refactoring across files.
  `find src -name '*.ts' -print0 | xargs -0 sed -i 's/const/let/g'
grep -rn let src | sort`,
  `for f in $(find . -name '*.ts' | sort); do
  mv "$f" "\${f%.ts}.mts"
done
find . -name '*.mts' | sort; find . -name '*.ts' | wc -l | tr -d ' '`,
  `find . -type f -name '*.txt' -exec sh -c 'echo "$1: $(wc -l < "$1" | tr -d " ")"' _ {} \\; | sort`,
  `grep -rl TODO . | xargs -n 1 basename | sort -f`,
  `cp src/a.ts src/a.ts.bak; sed -i -E 's/(export) (const)/\\2 \\1/' src/a.ts; cat src/a.ts src/a.ts.bak`,
  `sed -n '/import/,/export/p' src/b.ts; sed '$!d' data/names.txt; sed '2q' data/names.txt; sed -n '$=' data/names.txt`,
  `sed -e '/Ada/{s//Eva/;n;s/^/> /}' -e 'y/o/0/' data/names.txt`,
  `sed '1i\\
first' data/names.txt | sed '$a last' | sed 's/\\(.\\)\\(.\\)/\\2\\1/'`,
  // Numbers and tables.
  `awk -F, 'BEGIN { OFS="\\t" } { $2 = $2 * 1.5; print NR, $0 } END { printf "%d rows, %.2f\\n", NR, 10/3 }' data/prices.csv`,
  `awk '{ seen[$1]++ } END { for (n in seen) print seen[n], n }' data/names.txt | sort -k1,1nr -k2`,
  `awk 'function max(a, b) { return a > b ? a : b } { m = max(m, length($0)) } END { print m, toupper("done"), substr("hello", 2, 3), index("hello", "l") }' README.md`,
  `awk -v limit=2 'NR > limit { exit } { gsub(/[aeiou]/, "*"); print }' data/names.txt`,
  `paste -d, data/names.txt <(seq 1 4) | sort -t, -k2,2nr | head -n 2`,
  `join -t, <(sort data/prices.csv) <(printf 'apple,red\\nplum,blue\\n')`,
  `sort -u data/names.txt | nl -ba -w2 -s' '; sort -r data/names.txt | tail -n +3; printf '10\\n9\\n2\\n' | sort; printf '10\\n9\\n2\\n' | sort -n`,
  `printf '1.10\\n1.9\\n1.2\\n' | sort -V; printf 'b 2\\na 2\\nc 1\\n' | sort -k2,2n -k1,1; printf 'B\\na\\nC\\n' | sort -f`,
  `tr -cd '[:alpha:]\\n' < README.md | tr '[:upper:]' '[:lower:]' | fold -w 3 | head -n 4; echo aabbcc | tr -s a-c; echo abc | rev`,
  `printf 'a:b:c\\n1:2:3\\n' | cut -d: -f2- ; printf 'abcdef\\n' | cut -c2-4,6; printf 'x\\ty\\n' | expand -t 4; seq -s, 1 5; seq 5 -2 1`,
  `echo 'scale=3; 10/3' > /dev/null; echo $((2**10)) $((7%3)) $((-7/2)) $((0x1f)) $((010)) $((1<<4|1)) $((5>3?1:0))`,
  // JSON.
  `jq '.port += 1 | .hosts |= map(ascii_upcase) | del(.tls)' data/config.json > t.json && mv t.json data/config.json && cat data/config.json`,
  `jq -c 'to_entries[] | {key, type: (.value | type)}' data/config.json; jq -r '.hosts | join(",")' data/config.json; jq -e .missing data/config.json; echo $?`,
  `jq -n --arg name Ada --argjson n 3 '{name: $name, list: [range($n)]}' ; echo '[3,1,2]' | jq -c 'sort, add, (map(. * 2) | max)'; echo '{"a":[{"b":1},{"b":2}]}' | jq '[.a[].b] | length'`,
  // Strings and arrays.
  `declare -A stock=([apple]=3 [pear]=5); stock[plum]=2
for k in $(printf '%s\\n' "\${!stock[@]}" | sort); do echo "$k=\${stock[$k]}"; done; echo \${#stock[@]}`,
  `list=(one "two words" three); list+=(four); unset 'list[0]'
printf '<%s>' "\${list[@]}"; echo; echo "\${!list[@]}" "\${list[@]:1:2}" "\${list[*]/t/T}"`,
  `p=/a/b/file.tar.gz; echo "\${p##*/}" "\${p%/*}" "\${p%%.*}" "\${p#*/}" "\${p##*.}" "\${p//\\//-}" "\${#p}" "\${p: -2}" "\${none:-default}" "\${p:+set}"`,
  `while IFS=, read -r name price; do printf '%-8s|%5.2f|\\n' "$name" "$price"; done < data/prices.csv`,
  `mapfile -t lines < data/names.txt; echo "\${#lines[@]} \${lines[2]}"; read -r a b <<< "x y z"; echo "$b"; IFS=: read -ra parts <<< "1:2:3"; echo "\${parts[1]}"`,
  `f() { local x=inner; g; }; g() { echo "$x"; }; x=outer; f; g; set -- a b c; shift; echo "$# $* $1"; (x=sub; echo $x); echo $x`,
  `[[ "v1.22" =~ ^v([0-9]+)\\.([0-9]+)$ ]] && echo "\${BASH_REMATCH[1]} \${BASH_REMATCH[2]}"; [[ abc < abd ]] && echo less; [[ -z "" && ! -e no ]] && echo both`,
  `x=3; until [ $x -eq 0 ]; do x=$((x-1)); [ $x -eq 1 ] && continue; echo $x; done; exit 4`,
  `cat <<-EOF | while read -r l; do echo "[$l]"; done
	tabbed \${HOME:+home}
	  kept \\$literal
	EOF`,
  `{ echo out; echo err >&2; } 2>&1 | sort; { echo a; echo b; } > both.txt 2>/dev/null; cat both.txt; exec 3> fd.txt; echo three >&3; exec 3>&-; cat fd.txt`,
  `printf '%05d|%-5s|%x|%o|%e|%q\\n' 42 ab 255 8 1234.5 'a b'; printf '%s\\n' {01..03} {a..e..2}; echo -e 'a\\tb\\x41'; echo -n no; echo`,
  // Files, links, modes and times.
  `mkdir -p a/b c && echo 1 > a/b/f && cp -r a c/ && diff a/b/f c/a/b/f && echo same && rm -r a && find . -path './c*' | sort`,
  `ln -s ../data src/data-link && cat src/data-link/names.txt | head -n 1 && [ -L src/data-link ] && cp -r src/data-link kept && readlink kept && rm -r src/data-link && ls data | sort`,
  `ln -s README.md l && cp l copied && [ ! -L copied ] && cat copied && mv l src/l && readlink src/l; cat src/l 2>/dev/null; echo $?`,
  `ln -s data/names.txt l && echo Eve >> l && tail -n 1 data/names.txt && sed -i 's/Eve/Eva/' data/names.txt && tail -n 1 l && ln -sfn src l && readlink l && ls l | sort`,
  `ln data/names.txt names && echo Eve >> names && tail -n 1 data/names.txt && [ names -ef data/names.txt ] && echo same && rm data/names.txt && cat names`,
  `ln README.md a && mv a src/a && echo more >> src/a && tail -n 1 README.md && chmod 600 README.md && stat -c %a src/a && cp src/a b && echo x > b && tail -n 1 README.md`,
  `touch -d '2021-05-06 07:08:09 UTC' src/a.ts && touch -d '2021-05-06 07:08:09 UTC' src/b.ts && [ ! src/a.ts -nt src/b.ts ] && [ ! src/a.ts -ot src/b.ts ] && echo equal`,
  `chmod 600 src/*.ts src/deep/c.ts && chmod 700 src/deep && stat -c '%a %n' src/a.ts src/deep && chmod a+r,u-w src/a.ts && stat -c %A src/a.ts && find src -perm 600 -type f | sort && chmod 644 src/a.ts`,
  `chmod -R a+r . && touch . && ls -A | sort -f`,
  `cp -r src copy && chmod 755 copy/a.ts && cp -p copy/a.ts x && stat -c %a x && mv -n x README.md; [ -e x ] && echo kept; mv x data && ls data | sort`,
  `mkdir -p deep/1 deep/2 && touch deep/1/x deep/2/y && mv deep/1 deep/2 && find deep | sort && mv deep/2/* . && ls -d 1 && ls y && rmdir deep/2 deep && test ! -d deep && echo gone`,
  `cp README.md src/a.ts data && ls data | sort -f && cp -r src data nowhere 2>/dev/null; echo $?; cp -r src 2>/dev/null; echo $?; cp data x 2>/dev/null; echo $?`,
  `mv src/a.ts src/b.ts data && ls src && ls data; mv nothing here 2>/dev/null; echo $?; mv data data 2>/dev/null; echo $?; mv README.md data/ && test -f data/README.md && echo moved`,
  `tar -czf s.tgz -C src . && rm -rf src && mkdir src && tar -xzf s.tgz -C src && find src -type f | sort && tar -tzf s.tgz | sort | head -n 3; rm s.tgz`,
  `gzip -k data/names.txt && ls data | sort && gunzip -c data/names.txt.gz | head -n 1 && zcat data/names.txt.gz | wc -l | tr -d ' '; rm data/names.txt.gz`,
  `diff -u data/names.txt <(sed s/Ada/Eva/ data/names.txt) | grep '^[-+][A-Z]'; diff README.md README.md && echo equal; diff -q README.md src/a.ts > /dev/null; echo $?`,
  `find . -maxdepth 1 -type f ! -name '*.md' | sort; find . -empty | sort; find data -type f -printf '%f %s\\n' | sort; find . \\( -name '*.csv' -o -name '*.json' \\) -print | sort`,
  `find . -path ./src -prune -o -type f -print | sort -f; find src -mindepth 2; mkdir e; find . -type d -empty -delete; ls -d e 2>/dev/null; echo $?`,
  `printf 'a b\\nc\\n' | xargs echo; printf '1\\n2\\n3\\n' | xargs -n 2 echo; printf 'x\\ny\\n' | xargs -I {} echo '<{}>'; echo | xargs -r echo never; printf 'f1 f2' | xargs touch && ls f1 && ls f2`,
  `grep -n -A1 Ada data/names.txt; grep -o '[a-z]*,' data/prices.csv; grep -iE '^(zoe|bob)$' data/names.txt; grep -w a src/b.ts; grep -L TODO -r src | sort; grep -cv x README.md; grep -h export -r src | sort; grep -F '+ 1' src/b.ts; grep -q Zoe data/names.txt && echo found`,
  `split -l 2 data/names.txt part- && head -n 9 part-* && cat part-* | diff - data/names.txt && echo whole; md5sum README.md | cut -c1-8; od -An -c 'my file.txt' | head -n 1; basename src/a.ts .ts; dirname src/deep/c.ts`,
  `cat > build.sh <<'EOF'
#!/bin/bash
set -euo pipefail
out="\${1:?usage}"
mkdir -p "$out"
for f in src/*.ts; do sed 's/export //' "$f" > "$out/$(basename "$f" .ts).js"; done
EOF
chmod +x build.sh; ./build.sh dist && ls dist && cat dist/a.js; bash build.sh 2>/dev/null; echo $?; . ./build.sh dist2; ls dist2`,
  `set -u; echo \${undefined:-ok}; (echo $undefined_name) 2>/dev/null; echo $?; set +u; false || { echo caught; true; }; ! true; echo $?; command -v grep > /dev/null && echo has; type cd | head -n 1; no_such_command 2>/dev/null; echo $?`,
  `cat no-file 2>/dev/null; echo $?; ls no-file >/dev/null 2>&1; echo $?; cd no-dir 2>/dev/null || echo stayed; cat src 2>/dev/null; echo $?; mkdir a/b 2>/dev/null; echo $?; echo x > src 2>/dev/null; echo $?`,
  // Links to directories, to missing files and to absolute paths.
  `ln -s src d; echo x > d/new; cat src/new; mkdir d/sub; cp README.md d/; rm d/a.ts; mv d/b.ts d/c.ts; touch d/t; ln -s x d/y; readlink src/y; find src | sort -f`,
  `ln -s nowhere b; cp b c 2>/dev/null; echo $?; echo x > b; cat nowhere; ln -s "$PWD/README.md" l; cat l; echo more >> l; tail -n 1 README.md; rm l`,
  `ln -s src d; mv README.md d; ls src | sort -f; rm -rf d; ls src | sort -f; ln -s data/names.txt n; cp README.md n; cat data/names.txt`,
  // Nothing is lost where a name is taken.
  `mkdir d; mv d README.md 2>/dev/null; echo $?; cat README.md; mkdir -p d/data; mv data d 2>/dev/null; echo $?; ls d/data; touch d/data/x; mv src/a.ts d/data/x; cat d/data/x`,
  `mkdir -p d/a.ts && cp src/a.ts d 2>/dev/null; echo $?; mv src/a.ts d 2>/dev/null; echo $?; cat src/a.ts; mkdir -p e/deep/full && touch e/deep/full/x && mv src/deep e 2>/dev/null; echo $?; cat src/deep/c.ts`,
  `cp README.md no/x 2>/dev/null; echo $?; mv README.md no/x 2>/dev/null; echo $?; ln -s a no/x 2>/dev/null; echo $?; cp -r src no/x 2>/dev/null; echo $?; mv src no/lib 2>/dev/null; echo $?; ls`,
];
