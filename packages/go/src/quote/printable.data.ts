/**
 * The digits that {@link printableEdges} is written with. The ones that it has most often are the characters that
 * programs have most often, so that both together take the fewest bytes when they are compressed.
 */
export const printableDigits: string =
  'etir=)(asol,:cuhdMw?Sfm01;g]y{#vkUC|O!-E&_>xj+*An.}b/p[TIRNVP26B';

/**
 * Where printable characters begin and end, alternately: each number counts the code points from the one before. One of
 * the first 48 digits ends a number and stands for 1 to 48; each of the other 16 before it stands for 1 to 16 times 48,
 * and for 16 times as much with every digit that follows. Go's `strconv.IsPrint` with the tables of Unicode 15.0, which
 * Go 1.21 to 1.26 have.
 */
export const printableEdges: string = `
vn*U,e2_t)r(eee?eT:e!tnttien(agr)dfe}AeAtnlt.=cnltnetue]teel=#sn;e}deatttfe(eeirtstttraerte=t1t
ie)rttfe(etetettee=rttiie(ree(doieseiefe(ete=toeieiteurt,((eieatttfe(ete=tsttti(irte=tMote)iier
iteeetitiii,r=iierte)ecS=:eiemehtseier(teitetrto(feiemeoe=tseier(t)tertoei,:eienieie)rht;eieMi0
eseet(ier)eeea)oti,noryOteee=e0eeemt=eee(eotrvn0e|r-e|eue:Ob)ee=et[&ert(eeert&ertkert(eeertuens
ertnwtvi;)n!t)tPhe]in&(fs0s?,:eiet,n+to)o)cel)n&(>=nfo#e,r,rei_t=lxr;)linctndeytl)o)ct#nenyi*e.
?an,iuin,(>tla>=N)t)t!t)taeeeeeee#tn=euect)ewtiesd0a*dttge:ikuku.xrP-1lS./|tve[:=jee=etna(tc0s(
e(e(e(e(e(e(e(e.{U;en&,bf;,=nuen!t.(=>en+en|,*e.p.:in(s[,?}Eabl=teee=0nlio)naanfa,).?l{in{elrke
n(sctot.(0]o)t)t)s(e(en,r.{to)2T|,mrneRBr[{t.o!(,==;e=eeetete.yhI:tn)(ev_)niewerr=e.-r}+i)t)t)t
ii(e(:tt,e;eweteutcU.g=irjinEe:ie*+.Uyineu]r|s{=>={eOrc_}cto)|r|rEanrl,eue(eteleue(etnwpmsfoa0)
e_esnS)teexetietmen0asAwet=kig=enhnar?tntet=aeieytiro(s(nhv-r,sn)iytg=;(r,(nvn1n(ni:ni(+aop)#e_
eittng>a_f;!]?msn{r|snce=:1(o)n=eMa-snAe?lMe*nc(eeereuel)nl=o)reatttfe(ete=eotttite)e=(t(i=.>nx
e={n0ao}fn)t!UnSlo):wno)on)gturm}&n,.rnC,atetaete{ett,sonfat+tlgn0anC:n1(o/)sejecoyivtfecn1(ete
xieetesao))eteOete)(opf1(de&i]n!eunt:n}l.).ue=lbr}px.i:nphhf/};V(N}&N&(#eornkeo){t)onfooe(eS=w2
hn>.=ngrns(dnh=ltc[6EanI!_sNR(re(etepiueyitecraT,.Br.l=:is(otrpnA+tms.?n,/)o-tn;a.hSnf.;?,?,n-s
1.-nOenmettetttre,eee(endertae(e]ere=eei(e[rtprt2{u=eunpA#))bS(edt(ete==ncke.hjictortpv#dno=eIv
_6f(ereteueb=th&n]rortBdn?n]n:btregeteeteeoereeee)ereeeeeeieteeteeeeeeeeeeteetre(erereeeoed=ie=
ednrt/{xr.r,utueueOo}{nay:xrs(tc)}onb0rdi:i.mrn*),reu,rnaao)Ea{ttn{[r,ct:is(+e(acrs(s(}ien(Oon/
f}[IAv/p;)b{t[TtcINk}B#Ncn6Mpp>=/[h}I6nvbA
`;
