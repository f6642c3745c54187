// What `pack_text` (components/served.py) sends: a text as it is, or gzip of it. It is unpacked at
// once: a browser's own streams wait behind whatever the page does meanwhile.

const unzipped = (data) =>
  new TextDecoder().decode(data[0] === 0x1f && data[1] === 0x8b ? fflate.gunzipSync(data) : data);

/*! gunzipSync of fflate 0.8.3, https://github.com/101arrowz/fflate

MIT License

Copyright (c) 2026 Arjun Barrett

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.
*/
var fflate=(()=>{var V=Object.defineProperty;var yr=Object.getOwnPropertyDescriptor;var wr=Object.getOwnPropertyNames;var mr=Object.prototype.hasOwnProperty;var xr=(r,n)=>{for(var t in n)V(r,t,{get:n[t],enumerable:!0})},zr=(r,n,t,a)=>{if(n&&typeof n=="object"||typeof n=="function")for(let e of wr(n))!mr.call(r,e)&&e!==t&&V(r,e,{get:()=>n[e],enumerable:!(a=yr(n,e))||a.enumerable});return r};var Ar=r=>zr(V({},"__esModule",{value:!0}),r);var Pr={};xr(Pr,{gunzipSync:()=>ur});var f=Uint8Array,S=Uint16Array,Mr=Int32Array,er=new f([0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0,0,0,0]),ir=new f([0,0,0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,13,13,0,0]),Sr=new f([16,17,18,0,8,7,9,6,10,5,11,4,12,3,13,2,14,1,15]),ar=function(r,n){for(var t=new S(31),a=0;a<31;++a)t[a]=n+=1<<r[a-1];for(var e=new Mr(t[30]),a=1;a<30;++a)for(var c=t[a];c<t[a+1];++c)e[c]=c-t[a]<<5|a;return{b:t,r:e}},or=ar(er,2),sr=or.b,Ur=or.r;sr[28]=258,Ur[258]=28;var fr=ar(ir,0),Fr=fr.b,Hr=fr.r,j=new S(32768);for(o=0;o<32768;++o)g=(o&43690)>>1|(o&21845)<<1,g=(g&52428)>>2|(g&13107)<<2,g=(g&61680)>>4|(g&3855)<<4,j[o]=((g&65280)>>8|(g&255)<<8)>>1;var g,o,I=(function(r,n,t){for(var a=r.length,e=0,c=new S(n);e<a;++e)r[e]&&++c[r[e]-1];var y=new S(n);for(e=1;e<n;++e)y[e]=y[e-1]+c[e-1]<<1;var p;if(t){p=new S(1<<n);var z=15-n;for(e=0;e<a;++e)if(r[e])for(var U=e<<4|r[e],w=n-r[e],i=y[r[e]-1]++<<w,s=i|(1<<w)-1;i<=s;++i)p[j[i]>>z]=U}else for(p=new S(a),e=0;e<a;++e)r[e]&&(p[e]=j[y[r[e]-1]++]>>15-r[e]);return p}),B=new f(288);for(o=0;o<144;++o)B[o]=8;var o;for(o=144;o<256;++o)B[o]=9;var o;for(o=256;o<280;++o)B[o]=7;var o;for(o=280;o<288;++o)B[o]=8;var o,hr=new f(32);for(o=0;o<32;++o)hr[o]=5;var o;var Dr=I(B,9,1);var Tr=I(hr,5,1),W=function(r){for(var n=r[0],t=1;t<r.length;++t)r[t]>n&&(n=r[t]);return n},u=function(r,n,t){var a=n/8|0;return(r[a]|r[a+1]<<8)>>(n&7)&t},Y=function(r,n){var t=n/8|0;return(r[t]|r[t+1]<<8|r[t+2]<<16)>>(n&7)},Cr=function(r){return(r+7)/8|0},Ir=function(r,n,t){return(n==null||n<0)&&(n=0),(t==null||t>r.length)&&(t=r.length),new f(r.subarray(n,t))};var Br=["unexpected EOF","invalid block type","invalid length/literal","invalid distance","stream finished","no stream handler",,"no callback","invalid UTF-8 data","extra field too long","date not in range 1980-2099","filename too long","stream finishing","invalid zip data"],l=function(r,n,t){var a=new Error(n||Br[r]);if(a.code=r,Error.captureStackTrace&&Error.captureStackTrace(a,l),!t)throw a;return a},Zr=function(r,n,t,a){var e=r.length,c=a?a.length:0;if(!e||n.f&&!n.l)return t||new f(0);var y=!t,p=y||n.i!=2,z=n.i;y&&(t=new f(e*3));var U=function(rr){var nr=t.length;if(rr>nr){var tr=new f(Math.max(nr*2,rr));tr.set(t),t=tr}},w=n.f||0,i=n.p||0,s=n.b||0,x=n.l,Z=n.d,F=n.m,D=n.n,G=e*8;do{if(!x){w=u(r,i,1);var O=u(r,i+1,3);if(i+=3,O)if(O==1)x=Dr,Z=Tr,F=9,D=5;else if(O==2){var P=u(r,i,31)+257,J=u(r,i+10,15)+4,K=P+u(r,i+5,31)+1;i+=14;for(var T=new f(K),$=new f(19),h=0;h<J;++h)$[Sr[h]]=u(r,i+h*3,7);i+=J*3;for(var Q=W($),lr=(1<<Q)-1,vr=I($,Q,1),h=0;h<K;){var X=vr[u(r,i,lr)];i+=X&15;var v=X>>4;if(v<16)T[h++]=v;else{var A=0,E=0;for(v==16?(E=3+u(r,i,3),i+=2,A=T[h-1]):v==17?(E=3+u(r,i,7),i+=3):v==18&&(E=11+u(r,i,127),i+=7);E--;)T[h++]=A}}var k=T.subarray(0,P),m=T.subarray(P);F=W(k),D=W(m),x=I(k,F,1),Z=I(m,D,1)}else l(1);else{var v=Cr(i)+4,q=r[v-4]|r[v-3]<<8,L=v+q;if(L>e){z&&l(0);break}p&&U(s+q),t.set(r.subarray(v,L),s),n.b=s+=q,n.p=i=L*8,n.f=w;continue}if(i>G){z&&l(0);break}}p&&U(s+131072);for(var cr=(1<<F)-1,pr=(1<<D)-1,H=i;;H=i){var A=x[Y(r,i)&cr],M=A>>4;if(i+=A&15,i>G){z&&l(0);break}if(A||l(2),M<256)t[s++]=M;else if(M==256){H=i,x=null;break}else{var d=M-254;if(M>264){var h=M-257,C=er[h];d=u(r,i,(1<<C)-1)+sr[h],i+=C}var N=Z[Y(r,i)&pr],R=N>>4;N||l(3),i+=N&15;var m=Fr[R];if(R>3){var C=ir[R];m+=Y(r,i)&(1<<C)-1,i+=C}if(i>G){z&&l(0);break}p&&U(s+131072);var b=s+d;if(s<m){var _=c-m,gr=Math.min(m,b);for(_+s<0&&l(3);s<gr;++s)t[s]=a[_+s]}for(;s<b;++s)t[s]=t[s-m]}}n.l=x,n.p=H,n.b=s,n.f=w,x&&(w=1,n.m=F,n.d=Z,n.n=D)}while(!w);return s!=t.length&&y?Ir(t,0,s):t.subarray(0,s)};var Er=new f(0);var Gr=function(r){(r[0]!=31||r[1]!=139||r[2]!=8)&&l(6,"invalid gzip data");var n=r[3],t=10;n&4&&(t+=(r[10]|r[11]<<8)+2);for(var a=(n>>3&1)+(n>>4&1);a>0;a-=!r[t++]);return t+(n&2)},Or=function(r){var n=r.length;return(r[n-4]|r[n-3]<<8|r[n-2]<<16|r[n-1]<<24)>>>0};function ur(r,n){var t=Gr(r);return t+8>r.length&&l(6,"invalid gzip data"),Zr(r.subarray(t,-8),{i:2},n&&n.out||new f(Or(r)),n&&n.dictionary)}var qr=typeof TextDecoder<"u"&&new TextDecoder,Lr=0;try{qr.decode(Er,{stream:!0}),Lr=1}catch{}return Ar(Pr);})();
