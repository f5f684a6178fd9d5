# prose.pl FILE: what a person reads of a chapter, or of a Markdown file. Code,
# maths, addresses, attributes and citations become blanks, and each line keeps
# its number. A README's English section is left out.
use strict;
use warnings;
use open qw(:std :encoding(UTF-8));

local $/;
my $text = <>;

# What goes leaves its line ends behind
sub gone { my $lines = $_[0] =~ tr/\n//; return ' ' . "\n" x $lines }

# …except the words for who sees a caption, or does not see a figure
sub attributes {
    my ($all) = @_;
    my $words = join ' ', $all =~ /\b(?:alt|caption)="([^"]*)"/g;
    $words =~ s/\s+/ /g;
    return " $words" . gone($all);
}

$text =~ s/^(<<.*?>>=[ ]*\n.*?)^@(?: %def[^\n]*)?(?=[ \n]|\z)/gone($1)/gmse;
$text =~ s/^[ ]*(```+|~~~+)([^\n]*)\n(.*?)^[ ]*\1[ ]*$/attributes($2) . gone("\n$3")/gmse;
$text =~ s/<!--.*?-->/gone($&)/gse;
$text =~ s/^(## English.*?)(?=^## |\z)/gone($1)/gmse;
$text =~ s/\[\[.*?\]\]+/gone($&)/gse;
$text =~ s/(`+)(?!`).+?(?<!`)\1(?!`)/gone($&)/gse;
$text =~ s/\$\$.*?\$\$/gone($&)/gse;
$text =~ s/\$(?=\S)(?:[^\$\n]|\n(?!\n))+?\$/gone($&)/gse;
$text =~ s/\{\{.*?\}\}/gone($&)/gse;
$text =~ s/\]\([^)]*\)/"]" . gone($&)/gse;
$text =~ s/\{(?:[^{}"]|"[^"]*")*\}/attributes($&)/gse;
$text =~ s/<[^<>]*>|https?:\S*/gone($&)/ge;
$text =~ s/-?@[A-Za-z0-9_:-]+/ /g;
$text =~ s/^[ ]*:::.*$//gm;
$text =~ s/[\w\/*-]+\.(?:tsv|nw|cu|c|h|sh|gp|md|awk|html|pdf|svg)\b/ /g;
$text =~ s/\(\*[^*()]+\*\)/gone($&)/ge;       # (*the English term*)
$text =~ s/\w*\d\w*/ /g;                        # fp32, 9.0, H100
$text =~ s/(?<!\w)\p{L}(?!\w)/ /g;             # variables
print $text;
