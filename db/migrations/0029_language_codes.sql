-- Keeps the languages of offers by the codes that requests are matched by from now on.
WITH codes AS MATERIALIZED (
  SELECT split_part(pair, ':', 1) AS other, split_part(pair, ':', 2) AS own FROM unnest(string_to_array(
    'aam:aas aar:aa abk:ab adp:dz afr:af agp:apf ais:ami ajp:apc ajt:aeb aju:jrb aka:ak alb:sq als:sq amh:am ara:ar ' ||
    'arb:ar arg:an arm:hy asd:snz asm:as aue:ktz ava:av ave:ae aym:ay ayr:ay ayx:nun aze:az azj:az bak:ba bam:bm ' ||
    'baq:eu baz:nvo bcc:bal bcl:bik bel:be ben:bn bgm:bcg bh:bho bhk:fbl bic:bir bih:bho bis:bi bjd:drl bjq:bzc ' ||
    'bkb:ebk blg:iba bod:bo bos:bs bre:br btb:beb bul:bg bur:my bxk:luy bxr:bua cat:ca ccq:rki ces:cs cha:ch che:ce ' ||
    'chi:zh chu:cu chv:cv cjr:mom cka:cmr cld:syr cls:sa cmk:xch cmn:zh cnr:sr cor:kw cos:co coy:pij cre:cr cwd:cr ' ||
    'cym:cy cze:cs daf:dnj dan:da dap:njz dek:sqm deu:de dgo:doi dhd:mwr dik:din diq:zza dit:dif div:dv djl:dze ' ||
    'dkl:aqd drh:mn drr:kzk drw:fa dud:uth duj:dwu dut:nl dwl:dbt dzo:dz ekk:et ell:el elp:amq emk:man eng:en ' ||
    'epo:eo esk:ik est:et eus:eu ewe:ee fao:fo fas:fa fat:ak fij:fj fin:fi fra:fr fre:fr fry:fy fuc:ff ful:ff ' ||
    'gav:dev gaz:om gbc:wny gbo:grb geo:ka ger:de gfx:vaj ggn:gvr ggo:esg ggr:gtu gla:gd gle:ga glg:gl gli:kzk ' ||
    'glv:gv gno:gon gom:kok gre:el grn:gn gti:nyc gug:gn guj:gu guv:duz gya:gba hat:ht hau:ha hbs:sr hdn:hai ' ||
    'hea:hmn heb:he her:hz him:srx hin:hi hmo:ho hrr:jal hrv:hr hun:hu hye:hy ibi:opa ibo:ig ice:is ido:io iii:ii ' ||
    'ike:iu iku:iu ile:ie ill:ilm ilw:gal in:id ina:ia ind:id ipk:ik isl:is ita:it iw:he izi:eza jar:jgk jav:jv ' ||
    'jaw:jv jeg:oyb ji:yi jpn:ja jw:jv kal:kl kan:kn kas:ks kat:ka kau:kr kaz:kk kdv:zkd kgd:ncq kgh:kml kgm:plu ' ||
    'khk:mn khm:km kik:ki kin:rw kir:ky kmr:ku knc:kr kng:kg koj:kwv kom:kv kon:kg kor:ko kpp:jkm kpv:kv krm:bmf ' ||
    'ktr:dtp kua:kj kur:ku kvs:gdj kwq:yam kxe:tvd kxl:kru kzh:dgl kzj:dtp kzt:dtp lak:ksp lao:lo lat:la lav:lv ' ||
    'lbk:bnc leg:enl lim:li lin:ln lit:lt llo:ngt lmm:rmx ltz:lb lub:lu lug:lg lvs:lv mac:mk mah:mh mal:ml mao:mi ' ||
    'mar:mr may:ms meg:cir mgx:jbk mhr:chm mkd:mk mlg:mg mlt:mt mnt:wnn mo:ro mof:xnt mol:ro mon:mn mri:mi msa:ms ' ||
    'mst:mry mup:raj mwd:dmw mwj:vaj mya:my myd:aog myt:mry nad:xny nau:na nav:nv nbf:nru nbl:nr nbx:gll ncp:kdz ' ||
    'nde:nd ndo:ng nep:ne nld:nl nln:azd nlr:nrk nno:nn nns:nbr nnx:ngv nob:nb nom:cbr noo:dtd nor:no npi:ne ' ||
    'nte:eko nts:pij nxu:bpp nya:ny oci:oc ojg:oj oji:oj ori:or orm:om ory:or oss:os oun:vaj pan:pa pat:kxr pbu:ps ' ||
    'pcr:adx per:fa pes:fa pli:pi plt:mg pmc:huw pmu:phr pnb:lah pol:pl por:pt ppa:bfy ppr:lcq prp:gu prs:fa ' ||
    'pry:prt pus:ps puz:pub que:qu quz:qu rmr:emx rmy:rom roh:rm ron:ro rum:ro run:rn rus:ru sag:sg san:sa sap:aqt ' ||
    'scc:sr scr:hr sgl:isk sh:sr sin:si skk:oyb slk:sk slo:sk slv:sl smd:kmb sme:se smo:sm sna:sn snb:iba snd:sd ' ||
    'som:so sot:st spa:es spy:kln sqi:sq src:sc srd:sc srp:sr ssw:ss sul:sgd sum:ulw sun:su swa:sw swc:sw swe:sv ' ||
    'swh:sw szd:umi tah:ty tam:ta tat:tt tdu:dtp tel:te tgg:bjp tgk:tg tgl:fil tha:th thw:ola thx:oyb tib:bo ' ||
    'tid:itd tir:ti tkk:twm tl:fil tlw:weo tmk:tdg tmp:tyj tne:kak tnf:fa ton:to tpw:tpn tsf:taj tsn:tn tso:ts ' ||
    'ttq:tmh tuk:tk tur:tr tw:ak twi:ak uig:ug ukr:uk umu:del unp:wro uok:ema urd:ur uzb:uz uzn:uz ven:ve vie:vi ' ||
    'vol:vo wel:cy wgw:wgb wiw:nwo wln:wa wol:wo xba:cax xho:xh xia:acn xkh:waw xpe:kpe xrq:dmw xsj:suj xsl:den ' ||
    'xss:zko ybd:rki ydd:yi yen:ynq yid:yi yiy:yrm ymt:mtm yor:yo yos:zom yuu:yug zai:zap zha:za zho:zh zir:scv ' ||
    'zkb:kjh zsm:ms zul:zu zyb:za',
    ' ')) pair
)
UPDATE offers o SET languages = (
  SELECT array_agg(kept.code ORDER BY kept.place) FROM (
    SELECT coalesce(c.own, l.code) AS code, min(l.place) AS place
    FROM unnest(o.languages) WITH ORDINALITY l (code, place) LEFT JOIN codes c ON c.other = l.code GROUP BY 1) kept)
WHERE o.languages && (SELECT array_agg(other) FROM codes);
